package sampler

import (
	"cmp"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"foretoken/model"
)

// Raw logits: no bias, penalty, temperature or filter of the builder shows.
func TestLogprobs(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 1))
	c := NewConfig(.3)
	c.TopK, c.Penalties.Presence, c.LogitBias = 1, 3, map[model.Token]float32{0: -inf, 1: 30}
	for i := range 500 {
		n := 2 + r.IntN(700)
		row, k := makeRow(r, i%len(rowKinds), n+4), r.IntN(MaxLogprobs+1)
		row[n+1] = 1e30 // padding
		b, _ := NewBuilder(c, n+4, n)
		chosen := model.Token(r.IntN(n))
		got, err := b.Logprobs(logits(row), 0, chosen, k)
		row = row[:n]
		if slices.Max(row) == -inf {
			if !errors.Is(err, ErrNoToken) {
				t.Fatalf("a row of -Inf gives %v, want ErrNoToken", err)
			}
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		z := make([]float64, n)
		for j := range z {
			z[j] = float64(row[j])
		}
		p, rank := softmaxOf(z, 1), make([]int, n)
		for j := range rank {
			rank[j] = j
		}
		slices.SortStableFunc(rank, func(a, b int) int { return cmp.Compare(z[b], z[a]) })
		want := append([]int{int(chosen)}, rank[:min(k, n)]...)
		have := append([]TokenLogprob{{got.Token, got.Logprob}}, got.Top...)
		for j, h := range have {
			x := want[j]
			if int(h.Token) != x || p[x] > 1e-300 && math.Abs(h.Logprob-math.Log(p[x])) > 3e-6 || z[x] < -1e300 && h.Logprob > -1e300 {
				t.Fatalf("%s: entry %d is %+v, want token %d with %v", rowKinds[i%len(rowKinds)].name, j, h, x, math.Log(p[x]))
			}
		}
		if left := n - len(got.Top); len(got.Top) < k && left > 0 && z[rank[len(got.Top)]] > -1e300 {
			t.Fatalf("%d of %d alternatives", len(got.Top), k)
		}
	}
}

func TestLogprobsRefuses(t *testing.T) {
	b, _ := NewBuilder(NewConfig(1), 3, 3)
	for _, k := range []int{-1, 21} {
		if _, err := b.Logprobs(logits{1, 2, 3}, 0, 1, k); err == nil {
			t.Errorf("k = %d is accepted", k)
		}
	}
	for _, x := range []model.Token{-1, 3} {
		if _, err := b.Logprobs(logits{1, 2, 3}, 0, x, 1); err == nil {
			t.Errorf("token %d is accepted", x)
		}
	}
	var bad *LogitError
	if _, err := b.Logprobs(logits{1, float32(math.NaN()), 3}, 0, 0, 1); !errors.As(err, &bad) || bad.Token != 1 {
		t.Errorf("NaN gives %v", err)
	}
}
