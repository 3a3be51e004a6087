package tokenizer

import (
	"strings"
	"unicode/utf8"

	"github.com/dlclark/regexp2"
)

// A splitter cuts pieces where a pattern matches.
type splitter struct {
	spans    func(s string) []span
	behavior behavior
	invert   bool // what does not match is the match
}

// A span is a part of a string, [from, to), that matches or lies between matches.
type span struct {
	from, to int
	match    bool
}

// A behavior says what becomes of a match.
type behavior string

const (
	removed    behavior = "Removed"
	isolated   behavior = "Isolated"
	contiguous behavior = "Contiguous"         // neighbouring matches are one piece
	withBefore behavior = "MergedWithPrevious" // a match ends the piece before it
	withAfter  behavior = "MergedWithNext"     // a match begins the piece after it
)

func (b behavior) known() bool {
	return b == removed || b == isolated || b == contiguous || b == withBefore || b == withAfter
}

func (sp *splitter) split(in []piece) []piece {
	return each(in, func(p piece, emit func(string)) {
		spans := sp.spans(p.text)
		if sp.invert {
			for i := range spans {
				spans[i].match = !spans[i].match
			}
		}
		for _, s := range arrange(spans, sp.behavior) {
			emit(p.text[s.from:s.to])
		}
	})
}

// arrange turns spans into pieces. Of two neighbouring matches only the first
// joins its neighbour.
func arrange(spans []span, b behavior) []span {
	out := spans[:0]
	before := false // the span before was a match
	switch b {
	case removed:
		for _, s := range spans {
			if !s.match {
				out = append(out, s)
			}
		}
	case contiguous, withBefore:
		for _, s := range spans {
			join := s.match && !before
			if b == contiguous {
				join = s.match == before
			}
			if n := len(out); join && n > 0 {
				out[n-1].to = s.to
			} else {
				out = append(out, s)
			}
			before = s.match
		}
	case withAfter:
		for i := len(spans) - 1; i >= 0; i-- { // a match whose next is no match joins it
			s := &spans[i]
			was := s.match
			if was && !before && i+1 < len(spans) {
				spans[i+1].from, s.to = s.from, s.from
			}
			before = was
		}
		return spans
	default:
		return spans
	}
	return out
}

// inClass matches single characters.
func inClass(class func(rune) bool) func(string) []span {
	return func(s string) []span {
		var out []span
		done := 0
		for i, r := range s {
			if class(r) {
				out = cut(out, done, i, i+utf8.RuneLen(r))
				done = i + utf8.RuneLen(r)
			}
		}
		return tail(out, done, len(s))
	}
}

// literal matches a string.
func literal(want string) func(string) []span {
	return func(s string) []span {
		var out []span
		done := 0
		for {
			i := strings.Index(s[done:], want)
			if i < 0 {
				return tail(out, done, len(s))
			}
			out = cut(out, done, done+i, done+i+len(want))
			done += i + len(want)
		}
	}
}

// matching matches a regular expression. One that backtracks past patternTime panics with a
// *PatternError.
func matching(re *regexp2.Regexp) func(string) []span {
	return func(s string) []span {
		var out []span
		runes, bytes, done := 0, 0, 0 // how far we are
		to := func(rune int) int {
			for ; runes < rune; runes++ {
				_, n := utf8.DecodeRuneInString(s[bytes:])
				bytes += n
			}
			return bytes
		}
		m, err := re.FindStringMatch(s)
		for ; m != nil && err == nil; m, err = re.FindNextMatch(m) {
			from := to(m.Index)
			end := to(m.Index + m.Length)
			out = cut(out, done, from, end)
			done = end
		}
		if err != nil { // the rest would be cut as if nothing matched
			panic(&PatternError{Pattern: re.String(), Err: err})
		}
		return tail(out, done, len(s))
	}
}

// cut appends the match [from, to) and what lies between it and done.
func cut(out []span, done, from, to int) []span {
	if from > done {
		out = append(out, span{done, from, false})
	}
	return append(out, span{from, to, true})
}

func tail(out []span, done, end int) []span {
	if done < end {
		out = append(out, span{done, end, false})
	}
	return out
}
