package parity

import "foretoken/model"

// split is a model whose sessions compute a prompt some tokens at a time.
type split struct {
	model.Model
	most int
}

// splitting is m itself where most is 0.
func splitting(m model.Model, most int) model.Model {
	if most == 0 {
		return m
	}
	return split{m, most}
}

// Unwrap implements model.Unwrapper.
func (m split) Unwrap() any { return m.Model }

func (m split) NewSession() (model.Session, error) {
	s, err := m.Model.NewSession()
	return splitSession{s, m.most}, err
}

type splitSession struct {
	model.Session
	most int
}

// Unwrap implements model.Unwrapper.
func (s splitSession) Unwrap() any { return s.Session }

// Forward computes what needs no rows in pieces, and the rows together. Where a
// piece fails, those before it are forgotten.
func (s splitSession) Forward(tokens []model.Token, rows int) (model.Logits, error) {
	held := s.Len()
	for rows >= 0 && len(tokens)-max(rows, 1) > 0 {
		n := min(s.most, len(tokens)-max(rows, 1))
		if _, err := s.Session.Forward(tokens[:n], 0); err != nil {
			return nil, err
		}
		tokens = tokens[n:]
	}
	l, err := s.Session.Forward(tokens, rows)
	if err != nil && s.Len() > held {
		_ = s.Trim(held) // err says more
	}
	return l, err
}
