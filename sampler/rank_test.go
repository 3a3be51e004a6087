package sampler

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// Keys sort in rank order and give the logit back.
func TestRanks(t *testing.T) {
	ranked := []float32{3e38, 7, 1e-40, 0, float32(math.Copysign(0, -1)), -1e-40, -2, -3e38, -inf}
	for i, z := range ranked {
		if k := rankOf(z, i); k.logit() != z || k.id() != i || i > 0 && k <= rankOf(ranked[i-1], i-1) {
			t.Errorf("rank of %v at %d is %x", z, i, k)
		}
	}
}

func TestSelectFirst(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 4))
	for i := range 2000 {
		ranks := make([]rank, r.IntN(400))
		for j := range ranks {
			ranks[j] = pick(r, rank(r.IntN(5)), rank(j), rank(r.Uint64()), rank(i-j))
		}
		want := slices.Sorted(slices.Values(ranks))
		n := r.IntN(len(ranks) + 1)
		selectFirst(ranks, n)
		got := slices.Sorted(slices.Values(ranks[:n]))
		if !slices.Equal(got, want[:n]) {
			t.Fatalf("%d first of %d: %v, want %v", n, len(ranks), got, want[:n])
		}
	}
}
