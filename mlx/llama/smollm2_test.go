//go:build mlx

package llama_test

import (
	"math"
	"slices"
	"testing"

	"foretoken/mlx"
	"foretoken/mlx/mlxtest"
	"foretoken/model"
	"foretoken/model/load"
	"foretoken/model/modeltest"
)

// Tolerances on SmolLM2, of a logit: the near-tie rule's.
const smolTolerance = 2e-3

func smollm2(t *testing.T, engine string) *load.Loaded {
	t.Helper()
	t.Setenv("FORETOKEN_MODELS", modeltest.Real(t))
	l, err := load.Options{MLX: mlxtest.Options()}.Open(engine + modeltest.SmolLM2Name)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	return l
}

// SmolLM2's logits are those of model/ref in float32, one token at a time, five, and a prompt.
func TestSmolLM2AgreesWithRef(t *testing.T) {
	m, oracle := smollm2(t, "mlx:"), smollm2(t, "ref-f32:")
	text := "The Amazon and the Nile are rivers. def fib(n):\n    return n if n < 2 else fib(n - 1) + fib(n - 2)\n"
	tokens := m.Tokenizer.Prompt(text)[:40]
	v := m.Model.Info().Vocab
	want := rows(t, session(t, oracle.Model), tokens, len(tokens), v)
	for _, split := range []int{1, 5, len(tokens)} {
		s := session(t, m.Model)
		worst := 0.0
		for at := 0; at < len(tokens); at += split {
			some := tokens[at:min(at+split, len(tokens))]
			l, err := s.Forward(some, len(some))
			if err != nil {
				t.Fatal(err)
			}
			best, err := l.Argmaxes()
			if err != nil {
				t.Fatal(err)
			}
			row := make([]float32, v)
			for i := range some {
				if err := l.Read(i, row); err != nil {
					t.Fatal(err)
				}
				d := 0.0
				for j, w := range want[at+i] {
					d = max(d, math.Abs(float64(row[j]-w)))
				}
				worst = max(worst, d)
				sorted := slices.Clone(want[at+i])
				slices.Sort(sorted)
				margin := float64(sorted[v-1] - sorted[v-2])
				if top := slices.Index(want[at+i], sorted[v-1]); int(best[i]) != top && margin > 2*d {
					t.Errorf("position %d: %d, want %d: the margin is %.2g and the row is off by %.2g", at+i, best[i], top, margin, d)
				}
			}
		}
		if t.Logf("%d at a time: %.2g", split, worst); worst > smolTolerance {
			t.Errorf("%d tokens at a time: a logit is off by %.2g, want at most %g", split, worst, smolTolerance)
		}
	}
}

// A round leaves as many handles as the one before, and reads four bytes a row.
func TestSmolLM2Steady(t *testing.T) {
	m := smollm2(t, "mlx:")
	e, err := mlx.Open(mlxtest.Options())
	if err != nil {
		t.Fatal(err)
	}
	s := session(t, m.Model)
	if _, err := s.Forward(m.Tokenizer.Prompt("Once upon a time there was a"), 0); err != nil {
		t.Fatal(err)
	}
	var handles int64
	for round := range 4 {
		read := e.BytesRead()
		l, err := s.Forward([]model.Token{1, 2, 3, 4, 5}, 5)
		if err != nil {
			t.Fatal(err)
		}
		if err := l.Wait(); err != nil {
			t.Fatal(err)
		}
		if _, err := l.Argmaxes(); err != nil {
			t.Fatal(err)
		}
		if got := e.BytesRead() - read; got != 4*5 {
			t.Errorf("%d bytes were read back, want four a row", got)
		}
		if err := s.Trim(s.Len() - 4); err != nil {
			t.Fatal(err)
		}
		if round > 0 && e.Handles() != handles {
			t.Errorf("%d handles after round %d, %d before", e.Handles(), round, handles)
		}
		handles = e.Handles()
	}
}
