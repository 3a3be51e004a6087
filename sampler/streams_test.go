package sampler

import (
	"testing"

	"gonum.org/v1/gonum/stat/distuv"
)

// The streams of one request do not know of each other, seed by seed; two PCG
// streams of one seed do, which is why seeds are mixed.
func TestStreamsAreApart(t *testing.T) {
	for _, pair := range [][2]uint64{{TargetStream, DraftStream}, {TargetStream, CoinStream}, {DraftStream, CoinStream}} {
		for n := range 4 {
			if p := jointTail(NewStream, pair, n); p < 1e-4 {
				t.Errorf("number %d of streams %v: p = %.1e", n, pair, p)
			}
		}
	}
	if p := jointTail(NewPCG32, [2]uint64{TargetStream, CoinStream}, 1); p > 1e-10 {
		t.Errorf("unmixed streams pass with p = %.1e: the test sees nothing", p)
	}
}

// jointTail is the chance of a table at least as uneven as that of number n of
// one stream against number n of another, one pair a seed.
func jointTail(stream func(seed, stream uint64) *PCG32, pair [2]uint64, n int) float64 {
	const cells, seeds = 16, 100_000
	var table [cells][cells]float64
	for seed := range uint64(seeds) {
		table[int(stream(seed, pair[0]).At(n)*cells)][int(stream(seed, pair[1]).At(n)*cells)]++
	}
	chi2, want := 0.0, float64(seeds)/(cells*cells)
	for _, row := range table {
		for _, n := range row {
			chi2 += (n - want) * (n - want) / want
		}
	}
	return distuv.ChiSquared{K: cells*cells - 1}.Survival(chi2)
}
