//go:build mlx

package llama_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"foretoken/mlx"
	"foretoken/mlx/llama"
	"foretoken/model"
	"foretoken/sampler"
	"foretoken/sampler/samplertest"
)

// on makes logits of rows on the device, which the test's end gives back.
func on(t *testing.T) func(row []float32) model.Logits {
	e := engine(t)
	return func(row []float32) model.Logits {
		l, free := llama.RowsOf(e, mlx.Float32, row)
		t.Cleanup(free)
		return l
	}
}

// The device builds the host's distributions.
func TestPlans(t *testing.T) {
	if err := samplertest.CheckPlanExecutor(on(t)); err != nil {
		t.Error(err)
	}
	for _, c := range []struct{ n, each int }{{7, 60}, {300, 60}, {3000, 8}, {49152, 2}, {151936, 1}} {
		got, err := samplertest.CompareExecutor(on(t), c.n, c.each, uint64(c.n))
		if err != nil {
			t.Error(err)
		}
		t.Logf("%d ids: %v", c.n, got)
	}
}

// Log-probabilities are the host's, and few bytes are read for them.
func TestRank(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 4))
	const n = 5000
	for i := range 20 {
		row := make([]float32, n+3)
		for j := range row {
			if row[j] = float32(3 * r.NormFloat64()); i%2 == 0 {
				row[j] = float32(r.IntN(40)) // ties
			}
			if i%5 == 4 && j%1000 > 2 {
				row[j] = float32(math.Inf(-1)) // fewer than are asked for
			}
		}
		b, err := sampler.NewBuilder(sampler.NewConfig(1), n+3, n)
		if err != nil {
			t.Fatal(err)
		}
		chosen, k := model.Token(r.IntN(n)), []int{20, 0, 1}[i%3]
		want, err := b.Logprobs(model.Row(row), 0, chosen, k)
		if err != nil {
			t.Fatal(err)
		}
		l, free := llama.RowsOf(engine(t), mlx.Float32, row)
		got, err := b.Logprobs(l, 0, chosen, k)
		if err != nil {
			t.Fatal(err)
		}
		if !near(got.Logprob, want.Logprob) || len(got.Top) != len(want.Top) {
			t.Fatalf("row %d: %v, want %v", i, got, want)
		}
		for j, w := range want.Top {
			if got.Top[j].Token != w.Token || !near(got.Top[j].Logprob, w.Logprob) {
				t.Errorf("row %d: alternative %d is %v, want %v", i, j, got.Top[j], w)
			}
		}
		if read := llama.BytesRead(l); read > int64(16+8*k) {
			t.Errorf("%d bytes were read for %d alternatives", read, k)
		}
		free()
	}
}

func near(a, b float64) bool { return a == b || math.Abs(a-b) < 1e-5 }

// What is no logit is an error of its type wherever a row is looked at.
func TestBadRows(t *testing.T) {
	nan, inf := float32(math.NaN()), float32(math.Inf(1))
	for _, d := range []mlx.DType{mlx.Float32, mlx.BFloat16} {
		for _, v := range []float32{nan, inf} {
			l, free := llama.RowsOf(engine(t), d, []float32{1, 2, 3, 4}, []float32{0, 5, v, -inf})
			mask := model.NewMask(4)
			mask.Add(1)
			for name, call := range map[string]func() error{
				"argmaxes":      func() error { _, err := l.Argmaxes(); return err },
				"masked argmax": func() error { _, err := l.(model.MaskedArgmax).MaskedArgmax(1, mask); return err },
				"rank":          func() error { _, err := l.(model.Ranker).Rank(1, 4, 2, 0); return err },
			} {
				var bad *model.LogitError
				if err := call(); !errors.As(err, &bad) || bad.Row != 1 || bad.Token != 2 {
					t.Errorf("%v, %v: %s: %v", d, v, name, err)
				}
			}
			if best, err := l.(model.MaskedArgmax).MaskedArgmax(0, mask); best != 1 || err != nil {
				t.Errorf("the sound row's: %v, %v", best, err)
			}
			free()
		}
	}
}
