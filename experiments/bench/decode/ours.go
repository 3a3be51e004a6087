package decode

import (
	"context"
	"time"

	"foretoken/model"
)

// Ours times a model of this program behind a text of depth random tokens.
func Ours(name string, m model.Model, depth, prefill int) (a Arm, closed func() error, err error) {
	s, err := m.NewSession()
	if err != nil {
		return a, nil, err
	}
	o := &ours{s: s, depth: depth, text: randomText(m.Info().Real, depth+prefill+Decode)}
	return Arm{Name: name, Own: true, Tasks: Tasks(prefill), Time: o.time}, s.Close, nil
}

type ours struct {
	s     model.Session
	text  []model.Token
	depth int
}

func (o *ours) time(_ context.Context, t Task) (Measure, error) {
	ms, err := o.took(t)
	return Measure{MS: ms}, err
}

func (o *ours) took(t Task) (ms float64, err error) {
	at := o.depth
	if t.Prefill {
		at = 0
	}
	if err := o.seek(at); err != nil {
		return 0, err
	}
	if t.Rows == 0 {
		started := time.Now()
		err := o.decode(Decode)
		return time.Since(started).Seconds() * 1e3 / Decode, err
	}
	rows, n := t.Rows, 1
	if t.Prefill {
		rows, n = 1, t.Rows
	} else if err := o.forward(t.Rows, rows); err != nil { // the first of a shape
		return 0, err
	}
	started := time.Now()
	err = o.forward(t.Rows, rows)
	return time.Since(started).Seconds() * 1e3 / float64(n), err
}

// seek has the cache hold n tokens.
func (o *ours) seek(n int) error {
	if o.s.Len() > n {
		return o.s.Trim(n)
	}
	if o.s.Len() == n {
		return nil
	}
	_, err := o.s.Forward(o.text[o.s.Len():n], 0)
	return err
}

// forward is of n tokens, to the best id of the last rows, rolled back.
func (o *ours) forward(n, rows int) error {
	at := o.s.Len()
	l, err := o.s.Forward(o.text[at:at+n], rows)
	if err == nil {
		err = l.Wait()
	}
	if err == nil {
		_, err = l.Argmaxes()
	}
	if err != nil {
		return err
	}
	return o.s.Trim(at)
}

func (o *ours) decode(n int) error {
	next := o.text[o.s.Len()]
	for range n {
		l, err := o.s.Forward([]model.Token{next}, 1)
		if err == nil {
			err = l.Wait()
		}
		if err != nil {
			return err
		}
		best, err := l.Argmaxes()
		if err != nil {
			return err
		}
		next = best[0]
	}
	return nil
}
