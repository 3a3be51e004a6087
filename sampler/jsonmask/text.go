package jsonmask

// text is JSON strings whose decoded form has a length, matches patterns and is
// none of some names.
type text struct {
	low, high int // code points; high below 0 is no bound
	patterns  []*pattern
	refused   int // the last so many of patterns may not match
	not       *literals

	lives map[textState]bool // of states between code points, by possible
	runes []rune             // one of every range that the patterns and not tell apart
	kinds []rune             // one of all ranges that they do not

	states []textState
	index  map[textState]int32
}

// maxPatterns is how many patterns one string may have to match.
const maxPatterns = 4

// A textState is where a string is: between code points, or within one.
type textState struct {
	phase textPhase
	part  rune // bits of a code point begun
	more  int8 // bytes or hexadecimal digits of it to come
	n     int  // code points so far, as far as it matters
	match [maxPatterns]int32
	name  int32 // node of not; -1 is none of them
}

type textPhase uint8

const (
	opening textPhase = iota
	content
	escape    // after a backslash
	hex       // within \uXXXX
	pairSlash // after a high surrogate: a backslash, a u, four digits
	pairU
	pairHex
	utf8Rest
	closed
)

func newText(low, high int, patterns []*pattern, not *literals) *text {
	t := &text{low: low, high: high, patterns: patterns, not: not, index: map[textState]int32{}}
	first := textState{}
	if not == nil {
		first.name = -1
	}
	t.intern(first)
	return t
}

func (t *text) intern(s textState) int32 {
	if i, ok := t.index[s]; ok {
		return i
	}
	t.states = append(t.states, s)
	t.index[s] = int32(len(t.states) - 1)
	return int32(len(t.states) - 1)
}

func (t *text) end(s int32) (may, more bool) {
	done := t.states[s].phase == closed
	return done, !done
}

var (
	quoteByte = setOf(`"`)
	hexBytes  = setOf("0123456789abcdefABCDEF")
	slashU    = setOf(`\u`)
	// plainBytes stand for themselves in a string, each a character.
	plainBytes = func() (set byteSet) {
		for b := byte(' '); b < 0x7f; b++ {
			if b != '"' && b != '\\' {
				set.add(b)
			}
		}
		return set
	}()
)

func (t *text) bytes(i int32) byteSet {
	switch t.states[i].phase {
	case opening:
		return quoteByte
	case hex, pairHex:
		return hexBytes
	case pairSlash, pairU:
		return slashU
	}
	return everyByte
}

func (t *text) next(i int32, b byte) (int32, bool) {
	s, ok := t.step(t.states[i], b)
	if !ok {
		return 0, false
	}
	return t.intern(s), true
}

func (t *text) step(s textState, b byte) (textState, bool) {
	switch s.phase {
	case opening:
		s.phase = content
		return s, b == '"'
	case content:
		return t.content(s, b)
	case escape:
		if b == 'u' {
			s.phase, s.part, s.more = hex, 0, 4
			return s, len(t.patterns) == 0
		}
		r, ok := unescape(b)
		if !ok {
			return s, false
		}
		return t.char(s, r)
	case hex, pairHex:
		return t.digit(s, b)
	case pairSlash:
		s.phase = pairU
		return s, b == '\\'
	case pairU:
		s.phase, s.more = pairHex, 4
		return s, b == 'u'
	case utf8Rest:
		return t.continuation(s, b)
	}
	return s, false
}

// char is a whole code point.
func (t *text) char(s textState, r rune) (textState, bool) {
	s, ok := t.take(s, r)
	return s, ok && t.possible(s)
}

// take is char without a look ahead.
func (t *text) take(s textState, r rune) (textState, bool) {
	s.phase, s.part, s.more = content, 0, 0
	if t.high >= 0 && s.n == t.high {
		return s, false
	}
	if t.high >= 0 || s.n < t.low {
		s.n++
	}
	for i, p := range t.patterns {
		if s.match[i] < 0 {
			continue // will not match, as it may not
		}
		to, ok := p.step(s.match[i], r)
		if refused := i >= len(t.patterns)-t.refused; refused && !ok {
			to = -1
		} else if !ok || refused && p.states[to].matched {
			return s, false
		}
		s.match[i] = to
	}
	for _, b := range []byte(string(r)) {
		if s.name >= 0 {
			to, ok := t.not.next(s.name, b)
			if s.name = to; !ok {
				s.name = -1
			}
		}
	}
	return s, true
}

func (t *text) mayClose(s textState) bool {
	for i, p := range t.patterns {
		matches := s.match[i] >= 0 && p.states[s.match[i]].atEnd
		if refused := i >= len(t.patterns)-t.refused; matches == refused {
			return false
		}
	}
	return s.n >= t.low && (s.name < 0 || !t.not.nodes[s.name].end)
}
