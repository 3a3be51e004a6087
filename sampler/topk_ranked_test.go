package sampler

import (
	"math"
	"math/rand/v2"
	"testing"

	"foretoken/model"
)

// The cut that a part of the row's sum tells is the one that the whole sum tells:
// whether the best ids stand first, last or anywhere, and whatever top-p leaves of them.
func TestKeptOfRankedReadsNoMoreThanItNeeds(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 7))
	var h host
	const n = 20_000
	cut := 0
	for i := range 600 {
		z, k := make([]float32, n), pick(r, 2, 40, 300)
		base := pick[float32](r, 0, 3, 6, 9, 20) // below the best
		for j := range z {
			z[j] = -base + float32(r.NormFloat64())/4
		}
		from, among := pick(r, 0, n-k, n/2), pick(r, k, n/2)
		for range k {
			z[min(from+r.IntN(among), n-1)] = r.Float32()
		}
		p := &model.Plan{Temperature: 1, FilterTemperature: pick[float32](r, .8, 1), TopK: k,
			TopP: pick[float32](r, .05, .5, .9, .99), MinP: pick[float32](r, 0, 0, .5), KeepTies: i%2 == 0}
		ranked, err := h.best(z, k)
		if err != nil {
			t.Fatal(err)
		}
		top, sum := ranked[0].logit(), 0.0
		for _, v := range z {
			sum += math.Exp(float64(v-top) / float64(p.FilterTemperature))
		}
		want := prefix(ranked, top, p, 0, float64(p.TopP)*sum)
		for _, off := range []float64{1 - 2e-6, 1 + 2e-6} {
			if prefix(ranked, top, p, 0, float64(p.TopP)*sum*off) != want {
				want = 0 // a tie
			}
		}
		if got := h.keptOfRanked(ranked, z, top, p); want > 0 && got != want {
			t.Fatalf("%d: %d of the best %d, %v below them at temperature %v, top_p %v, min_p %v: kept %d, want %d",
				i, k, k, base, p.FilterTemperature, p.TopP, p.MinP, got, want)
		}
		if want > 0 && want < prefix(ranked, top, p, 0, 0) {
			cut++
		}
	}
	if cut < 100 || cut > 500 {
		t.Errorf("top-p cut %d of 600 rankings: the test tells too little", cut)
	}
}
