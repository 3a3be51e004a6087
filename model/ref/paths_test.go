//go:build models

package ref

import (
	"math/rand/v2"
	"testing"
)

// The sets of kernels differ by no more than the package comment says.
func TestPathsAgree(t *testing.T) {
	const most = 1e-4
	tokens := ids(rand.New(rand.NewPCG(8, 8)), 150, 49152)
	var want [][]float32
	for _, k := range paths() {
		got := rows(t, open(t, k).session(), tokens, len(tokens))
		for i := range want {
			wide := make([]float64, len(want[i]))
			for j, v := range want[i] {
				wide[j] = float64(v)
			}
			if d := far(got[i], wide); d > most {
				t.Fatalf("row %d: %s differs from %s by %.2g of the largest logit, want %g at most", i, k.name, plain.name, d, most)
			}
		}
		want = got
	}
}
