package parity

import "foretoken/model"

// observed is a model whose sessions show the rows that they decide by: those after a
// text's own tokens are noted, so that a text that comes out equal is computed once.
type observed struct {
	model.Model
	rows *rows
}

func observing(m model.Model, r *rows) model.Model { return observed{m, r} }

// Unwrap implements model.Unwrapper.
func (m observed) Unwrap() any { return m.Model }

func (m observed) NewSession() (model.Session, error) {
	s, err := m.Model.NewSession()
	if err != nil {
		return nil, err
	}
	return &observedSession{Session: s, rows: m.rows}, nil
}

type observedSession struct {
	model.Session
	rows *rows
	own  int // cached tokens that are the text's
}

// Unwrap implements model.Unwrapper. The tokens of a tree are not followed: their rows
// are computed again.
func (s *observedSession) Unwrap() any { return s.Session }

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
