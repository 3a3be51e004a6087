//go:build models

package jsonmask

import (
	"bytes"
	"math/rand/v2"
	"testing"

	"foretoken/model"
)

// endingText follows masks at random for some tokens, more often than not along names
// and values that the schema lists, and from there on towards an end, most at most: a
// text of a great schema would not come to one by itself.
func endingText(t *testing.T, r *rand.Rand, e state, some, most int) (text []byte, whole bool) {
	t.Helper()
	allowed, quoted := model.NewMask(len(e.g.v.tokens)), false
	for n := range most {
		if err := e.Mask(allowed); err != nil {
			t.Fatal(err)
		}
		if allowed.Has(eos) && (n >= some || r.IntN(8) == 0) {
			return text, true
		}
		if allowed.Len() == 0 {
			t.Fatalf("nothing may follow %q", text)
		}
		x, ok := chosen(r, e, allowed, n >= some, quoted)
		if !ok {
			return text, allowed.Has(eos)
		}
		next, err := e.Next(x)
		if err != nil {
			t.Fatal(err)
		}
		quoted = inString(e.g.v.tokens[x], quoted)
		e, text = next.(state), append(text, e.g.v.tokens[x]...)
	}
	return text, false
}

// chosen is a token of a mask, and false where only white space and the end may follow.
func chosen(r *rand.Rand, e state, allowed model.Mask, close, quoted bool) (model.Token, bool) {
	if close && !quoted {
		for _, b := range []byte(`}],:ntf"0123456789[`) {
			if x := model.Token(b) + 2; allowed.Has(x) {
				return x, true
			}
		}
	}
	if along := listed(e.at); len(along) > 0 && r.IntN(4) > 0 {
		if x := model.Token(along[r.IntN(len(along))]) + 2; allowed.Has(x) {
			return x, true
		}
	}
	if x := model.Token('"') + 2; quoted && allowed.Has(x) && (close || r.IntN(8) == 0) {
		return x, true
	}
	if close && quoted {
		if x, ok := nearest(e); ok {
			return x, true
		}
	}
	var choices []model.Token
	for x := range model.Token(len(e.g.v.tokens)) {
		if s := e.g.v.tokens[x]; allowed.Has(x) && x != eos && len(bytes.TrimSpace(s)) > 0 {
			choices = append(choices, x)
		}
	}
	if len(choices) == 0 {
		return 0, false
	}
	return choices[r.IntN(len(choices))], true
}

// listed are the bytes that listed texts go on with.
func listed(at *config) (out []byte) {
	for _, t := range at.threads {
		l, ok := t.term.(*literals)
		if !ok {
			continue
		}
		for b := range 256 {
			if l.nodes[t.state].after.has(byte(b)) {
				out = append(out, byte(b))
			}
		}
	}
	return out
}

// inString reports whether text, which begins within a string if it is quoted, ends so.
func inString(text []byte, quoted bool) bool {
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '"':
			quoted = !quoted
		case '\\':
			i++
		}
	}
	return quoted
}

// nearest is the character after which the patterns of a string are nearest to a match.
func nearest(e state) (model.Token, bool) {
	best, least := model.Token(0), noMatch
	for b := byte(' '); b < 0x7f; b++ {
		if b == '\\' {
			continue
		}
		to := e.g.m.step(e.at, b)
		if to == nil {
			continue
		}
		for _, t := range to.threads {
			s, ok := t.term.(*text)
			if !ok {
				continue
			}
			n := s.low - s.states[t.state].n
			for i, p := range s.patterns[:len(s.patterns)-s.refused] {
				n += p.least(s.states[t.state].match[i])
			}
			if n < least {
				best, least = model.Token(b)+2, n
			}
		}
	}
	return best, least < noMatch
}
