package jsonmask

import (
	"encoding/binary"
	"math"
	"slices"
	"strings"
	"unicode"
)

// maxAhead is how many states a look ahead visits before it takes an end to be in
// reach.
const maxAhead = 4096

// maxAheadWork bounds the instructions of patterns that it visits.
const maxAheadWork = 1 << 21

// start is the state after the opening quote.
func (t *text) start() textState {
	s := t.states[0]
	s.phase = content
	return s
}

// possible reports whether a string may end after s, which is between code points.
// One pattern alone knows how far its end is; of several, or beside a least length
// or texts that the string is not, the ends are looked for.
func (t *text) possible(s textState) bool {
	switch {
	case len(t.patterns) == 0 && (t.not == nil || t.high < 0):
		return true
	case len(t.patterns) == 1 && t.refused == 0 && t.low == 0 && t.not == nil:
		least := t.patterns[0].least(s.match[0])
		return least < noMatch && (t.high < 0 || s.n+least <= t.high)
	}
	if live, ok := t.lives[s]; ok {
		return live
	}
	if t.lives == nil {
		t.lives = map[textState]bool{}
		t.lookUp()
	}
	seen, until := map[textState]bool{s: true}, t.work()+maxAheadWork
	for todo := []textState{s}; len(todo) > 0; {
		at := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if t.lives[at] || t.mayClose(at) || len(seen) > maxAhead || t.work() > until {
			t.lives[s] = true
			return true
		}
		for _, r := range t.kinds {
			if to, ok := t.take(at, r); ok && !seen[to] {
				if live, known := t.lives[to]; !known || live {
					seen[to] = true
					todo = append(todo, to)
				}
			}
		}
	}
	for at := range seen {
		t.lives[at] = false
	}
	return false
}

// work is how many instructions the patterns have visited.
func (t *text) work() (n int) {
	for _, p := range t.patterns {
		n += p.work
	}
	return n
}

// lookUp fills runes and kinds.
func (t *text) lookUp() {
	if t.runes != nil {
		return
	}
	t.runes = t.classes()
	seen := map[string]bool{}
	for _, r := range t.runes {
		var key []byte
		for _, p := range t.patterns {
			key = binary.LittleEndian.AppendUint32(key, uint32(p.classes.of(r)))
		}
		if t.not != nil && slices.ContainsFunc(t.not.texts, func(text string) bool { return strings.ContainsRune(text, r) }) {
			key = append(key, string(r)...)
		}
		if !seen[string(key)] {
			seen[string(key)] = true
			t.kinds = append(t.kinds, r)
		}
	}
}

// classes returns a code point of every range within which no pattern and no text of
// t tells any apart, and that can be written in a string that has patterns.
func (t *text) classes() []rune {
	edges := []rune{0, ' ', 0x80, 0xd800, 0xe000, unicode.MaxRune + 1}
	for _, p := range t.patterns {
		edges = append(edges, p.classes.from...)
	}
	if t.not != nil {
		for _, text := range t.not.texts {
			for _, r := range text {
				edges = append(edges, r, r+1)
			}
		}
	}
	slices.Sort(edges)
	edges = slices.Compact(edges)
	var out []rune
	for i := 0; i+1 < len(edges); i++ {
		for r := edges[i]; r < edges[i+1]; r++ {
			if writable(r) {
				out = append(out, r)
				break
			}
			if r >= ' ' {
				break
			}
		}
	}
	return out
}

// writable reports whether r can stand in a string without a \u escape.
func writable(r rune) bool {
	return r >= ' ' && (r < 0xd800 || r > 0xdfff) || r >= '\b' && r <= '\r' && r != '\v'
}

// mayBe reports whether some code point in [low, high] may come next.
func (t *text) mayBe(s textState, low, high rune) bool {
	switch {
	case len(t.patterns) == 0 && (t.not == nil || t.high < 0):
		return true
	case len(t.patterns) == 1 && t.refused == 0:
		if may := t.patterns[0].takes(s.match[0], low, high); !may || t.high < 0 && t.low == 0 && t.not == nil {
			return may
		}
	}
	t.lookUp()
	if _, ok := t.char(s, low); ok {
		return true
	}
	for _, r := range t.runes {
		if r > low && r <= high {
			if _, ok := t.char(s, r); ok {
				return true
			}
		}
	}
	return false
}

// escapes reports whether some escaped character may follow.
func (t *text) escapes(s textState) bool {
	if len(t.patterns) == 0 {
		return true
	}
	for _, b := range []byte(`"\/bfnrt`) {
		r, _ := unescape(b)
		if _, ok := t.char(s, r); ok {
			return true
		}
	}
	return false
}

// free is the number of code points that may follow whatever they are, the
// string staying open.
func (t *text) free(i int32) int {
	s := t.states[i]
	switch {
	case s.phase != content || len(t.patterns) > 0:
		return 0
	case t.high < 0:
		return math.MaxInt
	case t.not != nil: // the last may complete a text that the string is not
		return max(0, t.high-s.n-1)
	}
	return t.high - s.n
}

// indifferent reports whether any text may follow, and the string end after it.
func (t *text) indifferent(i int32) bool {
	s := t.states[i]
	return s.phase == content && len(t.patterns) == 0 && t.high < 0 && s.n >= t.low && s.name < 0
}
