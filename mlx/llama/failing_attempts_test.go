//go:build mlx

package llama_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"foretoken/mlx"
	"foretoken/mlx/llama"
	"foretoken/model"
	"foretoken/model/checkpoint"
)

// An attempt is sessions that a call fails in.
type attempt struct {
	turn  func() error
	state func() (n int, lost error) // positions that are computed, and whether it can go on
	rows  func() [][]float32
	close func() error
}

// attempts fails every call of a turn, each in sessions of its own.
func (f *failing) attempts(name string, open func() attempt) (kept, lost int) {
	f.t.Helper()
	good := open()
	want := good.rows()
	if err := errors.Join(good.turn(), good.close()); err != nil {
		f.t.Fatalf("%s: %v", name, err)
	}
	f.each(name, func() error {
		a := open()
		err := a.turn()
		switch n, gone := a.state(); {
		case err == nil:
		case gone != nil && strings.Contains(gone.Error(), "session is lost"):
			lost++
		case n == 0:
			if kept++; !slices.EqualFunc(a.rows(), want, slices.Equal[[]float32]) {
				f.t.Errorf("%s, %d: after its failure the session goes on with other logits", name, kept)
			}
		}
		if err := a.close(); err != nil {
			f.t.Errorf("%s: it cannot be closed: %v", name, err)
		}
		return err
	})
	return kept, lost
}

// attempts are ways of decoding.
func attempts(t *testing.T, e *mlx.Engine) map[string]func() attempt {
	of := func(c checkpoint.Config, o llama.Options, tokens []model.Token, n int, turn func(model.Session) error) func() attempt {
		m, err := llama.New(e, write(t, c, checkpoint.F32), o)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { m.Close() })
		return func() attempt {
			s := session(t, m)
			return attempt{func() error { return turn(s) }, func() (int, error) { return s.Len(), s.Trim(s.Len()) },
				func() [][]float32 {
					out := rows(t, s, tokens, n, c.Vocab)
					if err := s.Trim(0); err != nil {
						t.Fatal(err)
					}
					return out
				}, s.Close}
		}
	}
	long, text := families["llama"], ids(5, 600, 64)
	long.Context = 1000
	m := loadedOn(t, e, write(t, families["llama"], checkpoint.F32))
	h, err := llama.NewHead(headFile(t, families["llama"], []int{0, 1, 2}), m)
	if err != nil {
		t.Fatal(err)
	}
	return map[string]func() attempt{
		"plain":      of(families["llama"], llama.Options{Choose: true}, []model.Token{1, 2, 3}, 3, plainTurn),
		"cache of 8": of(heads("llama", 32), llama.Options{KVBits: 8}, []model.Token{1, 2, 3}, 3, plainForward),
		"two blocks": of(long, llama.Options{}, text, 100, func(s model.Session) error { return forward(s, text, 100) }),
		"eagle head": func() attempt {
			p, err := newPair(h, m)
			if err != nil {
				t.Fatal(err)
			}
			return attempt{p.turn, func() (int, error) {
				return p.head.Len() + p.target.Len(), errors.Join(p.target.Trim(p.target.Len()), p.head.Trim(p.head.Len()))
			},
				func() [][]float32 {
					out := rows(t, p.target, []model.Token{1, 2, 3}, 3, 64)
					if err := p.target.Trim(0); err != nil {
						t.Fatal(err)
					}
					return out
				}, p.close}
		},
	}
}

// forward computes tokens, and reads the best ids and a row.
func forward(s model.Session, tokens []model.Token, n int) error {
	l, err := s.Forward(tokens, n)
	if err == nil {
		err = l.Wait()
	}
	if err == nil {
		_, err = l.Argmaxes()
	}
	if err == nil {
		row, wide := make([]float32, 64), make([]float32, 96)
		if err = l.Read(0, row); err != nil && !strings.Contains(err.Error(), "planted") {
			err = l.Read(0, wide)
		}
	}
	return err
}

func plainForward(s model.Session) error {
	if err := forward(s, []model.Token{1, 2, 3}, 3); err != nil {
		return err
	}
	return forward(s, []model.Token{4}, 1)
}

// plainTurn is a forward, the wait, the best ids, also of a mask, a distribution, a ranking
// and a row, and steps that are begun ahead.
func plainTurn(s model.Session) error {
	if err := forward(s, []model.Token{1, 2, 3}, 3); err != nil {
		return err
	}
	l, err := s.Forward([]model.Token{7, 8, 9}, 3)
	if err != nil {
		return err
	}
	mask := model.NewMask(64)
	mask.Fill(60)
	p := model.Plan{Real: 64, Mask: mask, Bias: []model.Bias{{Token: 3, Value: 1}}, Seen: []model.Count{{Token: 5, N: 2}},
		Repetition: 1.1, Frequency: .1, Temperature: 1, FilterTemperature: 1, TopP: .9, MinP: .01, TopK: 9, KeepTies: true}
	if _, err := l.(model.PlanExecutor).Execute(1, &p); err != nil {
		return err
	}
	if _, err := l.(model.MaskedArgmax).MaskedArgmax(2, mask); err != nil {
		return err
	}
	if _, err := l.(model.Ranker).Rank(0, 64, 3, 9); err != nil {
		return err
	}
	s.(model.Pipelined).Pipeline(9)
	for range 2 {
		if err := forward(s, []model.Token{1}, 1); err != nil {
			return err
		}
	}
	return nil
}

// turn is states of the target through the head, and the head's own fed back to it.
func (p pair) turn() error {
	if err := forward(p.target, []model.Token{1, 2, 3}, 1); err != nil {
		return err
	}
	states, err := p.target.(model.HiddenTap).Hidden(0, 2)
	if err != nil {
		return err
	}
	p.head.(model.Pipelined).Pipeline(3)
	for _, tokens := range [][]model.Token{{2, 3}, {4}} {
		l, err := p.head.ForwardStates(states, tokens, 1)
		if err != nil {
			return err
		}
		if _, err := l.Argmaxes(); err != nil {
			return err
		}
		if states, err = p.head.Hidden(p.head.Len()-1, p.head.Len()); err != nil {
			return err
		}
	}
	return nil
}

func (p pair) close() error { return errors.Join(p.target.Close(), p.head.Close()) }
