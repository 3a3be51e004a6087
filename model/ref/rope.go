package ref

import (
	"iter"
	"math"
	"slices"

	"foretoken/model"
	"foretoken/model/checkpoint"
)

// turning is what rope turns heads by in a text of some length.
type turning struct {
	length int       // the least that it is of
	freqs  []float64 // angles a position, of each pair
	scale  float64   // of queries and keys
}

func turnsOf(c checkpoint.Config, length int) turning {
	return turning{length, c.RopeFrequencies(length), c.RopeAttention()}
}

// turn writes the cosines and sines of token i's position.
func (w *work) turn(i int) {
	r := w.s.turns
	half := len(r.freqs)
	t := w.turns.at(i)
	for d, f := range r.freqs {
		sin, cos := math.Sincos(float64(w.s.m.first+w.pos+i) * f)
		t[d], t[half+d] = float32(cos*r.scale), float32(sin*r.scale)
	}
}

// Where rope changes with the length of the text, as dynamic and longrope do, the logits
// after n tokens are those of one forward of n tokens, all turned by the frequencies of
// that length: what transformers computes without a cache. So they depend on the tokens
// alone, however these were divided and whatever was trimmed. What is cached is of one
// length; a token that asks for others has the tokens before it forwarded again. For
// longrope that is once, where a text passes its first context, and again after a Trim to
// below it; for dynamic it is at every token past the context.

// spans yields the bounds of runs of n tokens that have the same turns.
func (s *session) spans(n int) iter.Seq2[int, int] {
	c, start := s.m.config, s.n
	return func(yield func(from, to int) bool) {
		if !c.RopeChanges() {
			yield(0, n)
			return
		}
		for from, to := 0, 0; from < n; from = to {
			for to = from + 1; to < n && c.RopeLength(start+to+1) == c.RopeLength(start+from+1); {
				to++
			}
			if !yield(from, to) {
				return
			}
		}
	}
}

// remember keeps tokens that may have to be forwarded again.
func (s *session) remember(tokens []model.Token) {
	if s.m.config.RopeChanges() {
		s.tokens = append(slices.Grow(s.tokens[:s.n], len(tokens)), tokens...)
	}
}

// turned makes what is cached be of a text of some length.
func (s *session) turned(length int) {
	if length = s.m.config.RopeLength(length); length == s.turns.length {
		return
	}
	s.turns = turnsOf(s.m.config, length)
	again := s.tokens[:s.n]
	s.n = 0
	for from, to := range blocks(len(again)) {
		s.block(again[from:to], 0)
	}
}
