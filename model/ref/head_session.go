package ref

import (
	"fmt"

	"foretoken/model"
)

// headSession caches pairs. Its one layer runs as a session's layers do.
type headSession struct {
	h      *Head
	s      *session    // of the layer: what is cached is pairs
	states vectors     // the target's, as fc reads them
	pairs  vectors     // token beside state, as q, k and v read them
	out    model.Words // s.out in the target's ids
}

// NewSession implements model.Head.
func (h *Head) NewSession() (model.HeadSession, error) {
	s := h.layer.session()
	s.taps = &taps{layers: []int{1}, width: h.layer.config.Hidden, fed: true}
	return &headSession{h: h, s: s, out: model.Words{Of: &s.out, IDs: h.words, Vocab: h.target.config.Vocab}}, nil
}

func (s *headSession) Len() int         { return s.s.Len() }
func (s *headSession) Trim(n int) error { return s.s.Trim(n) }
func (s *headSession) Close() error     { return s.s.Close() }

// Hidden implements model.HiddenTap: the stream after the layer, of each pair.
func (s *headSession) Hidden(from, to int) (model.States, error) {
	return tapped{s.s}.Hidden(from, to)
}

// ForwardStates implements model.HeadSession. states are of a session that NewTarget
// made, or a head's own.
func (s *headSession) ForwardStates(states model.States, tokens []model.Token, rows int) (model.Logits, error) {
	in, ok := states.(States)
	hidden := s.h.layer.config.Hidden
	switch {
	case !ok:
		return nil, fmt.Errorf("ref: states are %T: want those of this backend", states)
	case in.n != len(tokens):
		return nil, fmt.Errorf("ref: %d states for %d tokens: want one each", in.n, len(tokens))
	case in.t.width != hidden || !in.t.fed && len(in.t.layers) != len(s.h.taps):
		return nil, fmt.Errorf("ref: states of %d layers, %d floats each: want %d of %d, or a head's own", len(in.t.layers), in.t.width, len(s.h.taps), hidden)
	}
	if err := s.s.check(tokens, rows); err != nil {
		return nil, err
	}
	s.s.reserve(len(tokens), rows)
	if n := min(len(tokens), block); n > s.pairs.n {
		s.states, s.pairs = newVectors(s.s.work.tokens, len(s.h.taps)*hidden), newVectors(s.s.work.tokens, 2*hidden)
	}
	for from, to := range blocks(len(tokens)) {
		s.block(States{in.t, in.from + from, to - from}, tokens[from:to], rowsOf(rows, len(tokens), from, to))
	}
	return &s.out, nil
}

func (s *headSession) block(in States, tokens []model.Token, rows int) {
	m, w := s.h.layer, &s.s.work
	w.begin(len(tokens))
	states, pairs := s.states, s.pairs
	states.n, pairs.n = w.n, w.n
	for i := range tokens {
		if in.t.fed {
			copy(w.x.at(i), in.At(i))
		} else {
			copy(states.at(i), in.At(i))
		}
	}
	if !in.t.fed {
		w.times(s.h.fc, w.x, states)
	}
	w.norms(m.layers[0].attnNorm)
	for i, t := range tokens {
		token, state := pairs.at(i)[:m.config.Hidden], pairs.at(i)[m.config.Hidden:]
		m.embed.row(int(t), token)
		m.k.norm(token, token, s.h.tokenNorm, m.config.Hidden, m.config.NormEps)
		copy(state, w.h.at(i))
	}
	w.through(0, pairs)
	s.s.taps.keep(1, w.pos, w.x)
	s.s.end(rows)
}
