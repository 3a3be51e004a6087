package modeltest

import (
	"fmt"

	"foretoken/model"
)

// Head drafts for a Hash. From the right state and token it knows the target's
// row exactly; Noise of it comes from its own cache instead, every entry of it.
type Head struct {
	Of    Hash
	Noise float32
}

// Info implements model.Head.
func (h Head) Info() model.Info { return h.Of.Info() }

// NewTarget implements model.Head.
func (h Head) NewTarget(m model.Model) (model.Session, error) { return m.NewSession() }

// NewSession implements model.Head.
func (h Head) NewSession() (model.HeadSession, error) { return &headSession{head: h}, nil }

type headSession struct {
	head  Head
	after states // after[i] is the state of target position i+1, as foretold
}

func (s *headSession) Len() int     { return len(s.after) }
func (s *headSession) Close() error { return nil }

func (s *headSession) Trim(n int) error {
	if n < 0 || n > len(s.after) {
		return fmt.Errorf("modeltest: trim to %d of %d: %w", n, len(s.after), model.ErrTrim)
	}
	s.after = s.after[:n]
	return nil
}

func (s *headSession) Hidden(from, to int) (model.States, error) {
	if from < 0 || from > to || to > len(s.after) {
		return nil, fmt.Errorf("modeltest: states [%d, %d) of %d", from, to, len(s.after))
	}
	return append(states(nil), s.after[from:to]...), nil
}

func (s *headSession) ForwardStates(in model.States, tokens []model.Token, rows int) (model.Logits, error) {
	if in.Len() != len(tokens) {
		return nil, fmt.Errorf("modeltest: %d states for %d tokens", in.Len(), len(tokens))
	}
	var out logits
	for i, t := range tokens {
		s.after = append(s.after, step(in.(states)[i], t, len(s.after)+1))
		if i >= len(tokens)-rows {
			out = append(out, s.row())
		}
	}
	return out, nil
}

func (s *headSession) row() []float32 {
	row := s.head.Of.row(s.after[len(s.after)-1])
	if s.head.Noise == 0 {
		return row
	}
	own := uint64(1)
	for _, x := range s.after {
		own = (own ^ x) * 1099511628211
	}
	for i, x := range s.head.Of.row(own) {
		row[i] += s.head.Noise * x
	}
	return row
}
