package llama

import (
	"fmt"

	"foretoken/mlx"
	"foretoken/model"
)

// taps says which hidden states a session keeps, on the device, for every cached
// position: the residual stream after each of some counts of layers.
type taps struct {
	layers []int // ascending
	width  int   // of a position's states, all of them
	fed    bool  // a head's own, which stand in for what fc makes of a target's
}

// tap notes the stream after n layers, where it is kept.
func (p *pass) tap(n int, x mlx.Array) {
	if p.taps == nil {
		return
	}
	for _, l := range p.taps.layers {
		if l == n {
			p.seen = append(p.seen, x)
		}
	}
}

// keepTaps writes what was noted beside the keys and values.
func (p *pass) keepTaps() {
	if p.taps == nil {
		return
	}
	x := p.seen[0]
	if len(p.seen) > 1 {
		x = p.g.Concatenate(2, p.seen...)
	}
	p.cache.taps[0] = p.g.Update(p.cache.taps[0], x, []int{0, p.pos, 0}, []int{1, p.pos + p.n, p.taps.width})
}

// States are hidden states of consecutive positions, on the device. They live as long
// as their positions.
type States struct {
	s       *session
	from, n int
}

// Len implements model.States.
func (s States) Len() int { return s.n }

// part is n of the states from at on, [1, n, width].
func (s States) part(g *mlx.Graph, at, n int) mlx.Array {
	if g.Err() != nil {
		return mlx.Array{}
	}
	return g.Slice(s.s.cache.taps[0], []int{0, s.from + at, 0}, []int{1, s.from + at + n, s.s.taps.width})
}

// tapped is a session that is a model.HiddenTap.
type tapped struct{ *session }

// NewTappedSession makes a session that is a model.HiddenTap too and keeps the
// residual stream after the first n layers, for every n in layers: 0 is the
// embedding, Layers what the final norm sees. Its States are a States.
func (m *Model) NewTappedSession(layers []int) (model.Session, error) {
	for i, n := range layers {
		if n < 0 || n > len(m.layers) || i > 0 && n <= layers[i-1] {
			return nil, fmt.Errorf("mlx: %s: taps after %v layers: want ascending counts, 0 to %d", m.config.Name, layers, len(m.layers))
		}
	}
	s := m.session()
	s.taps = &taps{layers: layers, width: len(layers) * m.config.Hidden}
	return tapped{s}, nil
}

// Hidden implements model.HiddenTap.
func (s tapped) Hidden(from, to int) (model.States, error) {
	switch {
	case s.closed:
		return nil, errClosed
	case from < 0 || from > to || to > s.n:
		return nil, fmt.Errorf("mlx: states [%d, %d): want positions 0 to %d", from, to, s.n)
	}
	return States{s.session, from, to - from}, nil
}
