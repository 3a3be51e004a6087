package parity

import "foretoken/model"

// observed is a model whose sessions show the rows that they decide by: those after a
// text's own tokens are noted, so that a text that comes out equal is computed once.
type observed struct {
	model.Model
	rows *rows
}

// observing leaves m what it can do.
func observing(m model.Model, r *rows) model.Model {
	o := observed{m, r}
	if l, ok := m.(model.LayerSkipper); ok {
		return struct {
			observed
			model.LayerSkipper
		}{o, l}
	}
	return o
}

func (m observed) NewSession() (model.Session, error) {
	s, err := m.Model.NewSession()
	if err != nil {
		return nil, err
	}
	o := &observedSession{Session: s, rows: m.rows}
	switch can := s.(type) {
	case model.TreeForwarder: // whose tokens are not followed: their rows are computed again
		return struct {
			*observedSession
			model.TreeForwarder
		}{o, can}, nil
	case model.Pipelined:
		return struct {
			*observedSession
			model.Pipelined
		}{o, can}, nil
	}
	return o, nil
}

type observedSession struct {
	model.Session
	rows *rows
	own  int // cached tokens that are the text's
}

// Forward notes those rows that follow nothing but the text.
func (s *observedSession) Forward(tokens []model.Token, rows int) (model.Logits, error) {
	at := s.Session.Len()
	l, err := s.Session.Forward(tokens, rows)
	if err != nil || s.own < at {
		return l, err
	}
	s.own = at + model.Common(tokens, s.rows.forced[min(at, len(s.rows.forced)):])
	for i := range rows {
		if p := at + len(tokens) - rows + i; p >= s.rows.first && p < s.own {
			if err := s.rows.note(l, i, p-s.rows.first); err != nil {
				return nil, err
			}
		}
	}
	return l, nil
}

func (s *observedSession) Trim(n int) error {
	err := s.Session.Trim(n)
	if err == nil {
		s.own = min(s.own, n)
	}
	return err
}
