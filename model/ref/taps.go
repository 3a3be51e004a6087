package ref

import (
	"fmt"

	"foretoken/model"
)

// taps keeps hidden states of every cached position.
type taps struct {
	layers []int // counts of layers passed, ascending
	width  int   // floats of one state
	fed    bool  // a head's own, which stand in for what fc makes of a target's
	states []float32
}

// States are hidden states of consecutive positions: of each, the residual stream
// after each tapped layer. They live as long as their positions.
type States struct {
	t    *taps
	from int
	n    int
}

// Len implements model.States.
func (s States) Len() int { return s.n }

// At returns state i, [taps][Hidden], not to be written.
func (s States) At(i int) []float32 {
	w := len(s.t.layers) * s.t.width
	return s.t.states[(s.from+i)*w:][:w:w]
}

// tapped is a session that is a model.HiddenTap.
type tapped struct{ *session }

// NewTappedSession makes a session that is a model.HiddenTap too and keeps the
// residual stream after the first n layers, for every n in layers: 0 is the
// embedding, Layers what the final norm sees. Its States are a States.
func (m *Model) NewTappedSession(layers []int) (model.Session, error) {
	for i, n := range layers {
		if n < 0 || n > len(m.layers) || i > 0 && n <= layers[i-1] {
			return nil, fmt.Errorf("ref: %s: taps after %v layers: want ascending counts, 0 to %d", m.config.Name, layers, len(m.layers))
		}
	}
	if m.config.RopeChanges() {
		return nil, fmt.Errorf("ref: %s: states of a model with %s rope change as its text grows: want one whose rope does not", m.config.Name, m.config.RopeScaling.Type)
	}
	s := m.session()
	s.taps = &taps{layers: layers, width: m.config.Hidden}
	return tapped{s}, nil
}

// Hidden implements model.HiddenTap.
func (s tapped) Hidden(from, to int) (model.States, error) {
	if from < 0 || from > to || to > s.n {
		return nil, fmt.Errorf("ref: states [%d, %d): want positions 0 to %d", from, to, s.n)
	}
	return States{s.taps, from, to - from}, nil
}

func (t *taps) reserve(positions int) {
	if t == nil {
		return
	}
	if n := positions * len(t.layers) * t.width; n > len(t.states) {
		t.states = grown(t.states, max(n, 2*len(t.states)))
	}
}

// keep stores the states of the positions from pos on, after n layers.
func (t *taps) keep(n, pos int, x vectors) {
	if t == nil {
		return
	}
	for i, l := range t.layers {
		for v := 0; l == n && v < x.n; v++ {
			copy(t.states[((pos+v)*len(t.layers)+i)*t.width:][:t.width], x.at(v))
		}
	}
}
