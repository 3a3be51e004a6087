package model_test

import (
	"errors"
	"slices"
	"testing"

	"foretoken/model"
	"foretoken/model/modeltest"
)

// failing fails its next forward, after it has cached some of the tokens or none.
type failing struct {
	model.Session
	fails  bool
	cached int // tokens it caches before it fails
}

func (f *failing) Forward(tokens []model.Token, rows int) (model.Logits, error) {
	if !f.fails {
		return f.Session.Forward(tokens, rows)
	}
	f.fails = false
	if f.cached > 0 {
		if _, err := f.Session.Forward(tokens[:f.cached], 0); err != nil {
			return nil, err
		}
	}
	return nil, errors.New("failed")
}

// A cursor holds no token whose forward failed: the next Seek gives the row of a fresh
// session, whatever of the failed one was cached.
func TestCursorForgetsWhatFailed(t *testing.T) {
	m := modeltest.Hash{Vocab: 9, Real: 9}
	row := func(s model.Session, l model.Logits) []float32 {
		out := make([]float32, 9)
		if err := l.Read(0, out); err != nil {
			t.Fatal(err)
		}
		return out
	}
	for _, cached := range []int{0, 2} {
		s, _ := m.NewSession()
		f := &failing{Session: s, cached: cached}
		c := model.Cursor{Session: f}
		if _, err := c.Seek([]model.Token{1, 2, 3}); err != nil {
			t.Fatal(err)
		}
		f.fails = true
		if _, err := c.Seek([]model.Token{1, 2, 4, 5, 6}); err == nil {
			t.Fatal("the failure is not told")
		}
		for _, want := range [][]model.Token{{1, 2, 4, 5, 6, 7}, {1, 2, 4, 8}} {
			l, err := c.Seek(want)
			if err != nil {
				t.Fatal(err)
			}
			fresh, _ := m.NewSession()
			plain, err := fresh.Forward(want, 1)
			if err != nil {
				t.Fatal(err)
			}
			if got, want := row(c, l), row(fresh, plain); !slices.Equal(got, want) {
				t.Errorf("%d cached before the failure: %v, want %v", cached, got, want)
			}
		}
	}
}
