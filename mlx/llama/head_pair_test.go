//go:build mlx

package llama_test

import (
	"errors"
	"math"
	"slices"
	"testing"

	"foretoken/model"
	"foretoken/model/checkpoint"
	"foretoken/model/checkpoint/checkpointtest"
)

// A pair is a head and its target, with a session of each.
type pair struct {
	target model.Session
	head   model.HeadSession
}

// pairOf opens sessions of a head.
func pairOf(t *testing.T, h model.Head, m model.Model) pair {
	t.Helper()
	p, err := newPair(h, m)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { p.close() })
	return p
}

func newPair(h model.Head, m model.Model) (pair, error) {
	target, err1 := h.NewTarget(m)
	head, err2 := h.NewSession()
	return pair{target, head}, errors.Join(err1, err2)
}

// seek forwards tokens through the target, and the pairs [from, len(tokens)-1) of them
// through the head, some at a time.
func (p pair) seek(t *testing.T, tokens []model.Token, from, some int) (out [][]float32) {
	t.Helper()
	if n := p.target.Len(); n < len(tokens)-1 {
		if _, err := p.target.Forward(tokens[n:len(tokens)-1], 0); err != nil {
			t.Fatal(err)
		}
	}
	for ; from < len(tokens)-1; from += some {
		to := min(from+some, len(tokens)-1)
		states, err := p.target.(model.HiddenTap).Hidden(from, to)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, p.forward(t, states, tokens[from+1:to+1])...)
	}
	return out
}

// feed gives the head its own last state.
func (p pair) feed(t *testing.T, token model.Token) []float32 {
	t.Helper()
	states, err := p.head.Hidden(p.head.Len()-1, p.head.Len())
	if err != nil {
		t.Fatal(err)
	}
	return p.forward(t, states, []model.Token{token})[0]
}

func (p pair) forward(t *testing.T, states model.States, tokens []model.Token) [][]float32 {
	t.Helper()
	l, err := p.head.ForwardStates(states, tokens, len(tokens))
	if err != nil {
		t.Fatal(err)
	}
	best, err := l.Argmaxes()
	if err != nil {
		t.Fatal(err)
	}
	out := make([][]float32, len(tokens))
	for i := range out {
		out[i] = make([]float32, 64)
		if err := l.Read(i, out[i]); err != nil {
			t.Fatal(err)
		}
		if want := slices.Index(out[i], slices.Max(out[i])); int(best[i]) != want {
			t.Errorf("the best id of row %d is %d, want %d", i, best[i], want)
		}
	}
	return out
}

// words is out without what the head has no word for.
func words(rows [][]float32) [][]float32 {
	var out [][]float32
	for _, row := range rows {
		out = append(out, slices.DeleteFunc(slices.Clone(row), func(x float32) bool { return math.IsInf(float64(x), -1) }))
	}
	return out
}

func headFile(t *testing.T, c checkpoint.Config, taps []int) *checkpoint.Head {
	t.Helper()
	dir := t.TempDir()
	if err := checkpointtest.NewHead(c, taps, 7).Write(dir, checkpoint.F32); err != nil {
		t.Fatal(err)
	}
	h, err := checkpoint.OpenHead(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { h.Close() })
	return h
}
