package llama

import (
	"fmt"

	"foretoken/mlx"
	"foretoken/model"
)

// headSession caches pairs. Its one layer runs as a session's layers do.
type headSession struct {
	h   *Head
	s   *session    // of the layer: what is cached is pairs
	out model.Words // s.out in the target's ids
}

// NewSession implements model.Head.
func (h *Head) NewSession() (model.HeadSession, error) {
	s := h.layer.session()
	s.taps, s.words = &taps{layers: []int{1}, width: h.layer.config.Hidden, fed: true}, h.words
	x := &headSession{h: h, s: s, out: model.Words{Of: &s.out, IDs: h.words, Vocab: h.target.config.Vocab}}
	s.next = func(g *mlx.Graph, pos int, best mlx.Array) mlx.Array {
		last := States{s, pos - 1, 1}
		return x.forward(g, last.part(g, 0, 1), true, pos, g.Reshape(g.Rows(h.table, best), 1, 1), 1, 1)
	}
	return x, nil
}

// Pipeline implements model.Pipelined, of steps that the session's last state is fed
// back to.
func (s *headSession) Pipeline(steps int) { s.s.Pipeline(steps) }

func (s *headSession) Len() int         { return s.s.Len() }
func (s *headSession) Trim(n int) error { return s.s.Trim(n) }
func (s *headSession) Close() error     { return s.s.Close() }

// BytesRead implements model.ReadMeter.
func (s *headSession) BytesRead() int64 { return s.s.BytesRead() }

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
		return nil, fmt.Errorf("mlx: states are %T: want those of this backend", states)
	case in.n != len(tokens):
		return nil, fmt.Errorf("mlx: %d states for %d tokens: want one each", in.n, len(tokens))
	case in.s.taps.width != hidden*len(in.s.taps.layers) || !in.s.taps.fed && len(in.s.taps.layers) != len(s.h.taps):
		return nil, fmt.Errorf("mlx: states of %d layers, %d floats in all: want %d of %d each, or a head's own", len(in.s.taps.layers), in.s.taps.width, len(s.h.taps), hidden)
	case in.s.closed:
		return nil, errClosed
	case in.from+in.n > in.s.n:
		return nil, fmt.Errorf("mlx: states [%d, %d) of a session of %d positions: they were trimmed", in.from, in.from+in.n, in.s.n)
	}
	if err := s.s.check(tokens, rows); err != nil {
		return nil, err
	}
	if last := in.s == s.s && in.from+in.n == s.s.n; !last || !s.s.adopt(tokens, rows) {
		err := s.s.build(len(tokens), rows, func(g *mlx.Graph, done, n, rows int) mlx.Array {
			return s.forward(g, in.part(g, done, n), in.s.taps.fed, s.s.n+done, indices(g, tokens[done:done+n]), n, rows)
		})
		if err != nil {
			return nil, fmt.Errorf("mlx: %s: %w", s.h.layer.config.Name, err)
		}
	}
	s.s.stepped(len(tokens))
	return &s.out, nil
}

// forward adds n pairs to the cache at pos: states [1, n, width] and ids [1, n].
func (s *headSession) forward(g *mlx.Graph, states mlx.Array, fed bool, pos int, ids mlx.Array, n, rows int) mlx.Array {
	p := s.s.pass(g, pos, n)
	x := states
	var y []mlx.Array
	if fed {
		y = p.call(s.h.entry[1], x, ids, p.at)
	} else {
		y = p.call(s.h.entry[0], x, ids, p.at)
		x, y = y[0], y[1:]
	}
	a := p.attend(0, y[0], y[1], y[2])
	x = p.call(p.m.steps[1], x, a, p.at)[0]
	p.tap(1, x)
	return p.end(x, rows)
}
