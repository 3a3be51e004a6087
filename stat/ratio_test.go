package stat

import (
	"math"
	"math/rand/v2"
	"testing"
)

// Five clusters by hand: R = 20/40, residuals Y-R*X = 1,-1,1,-1,0, s2 = 1,
// half-width t(4) * sqrt(1/5) / 8 with t(4) = 2.776445.
func TestRatioByHand(t *testing.T) {
	e := Ratio([]Cluster{{5, 8}, {3, 8}, {5, 8}, {3, 8}, {4, 8}})
	near(t, "ratio", e.Value, .5, 1e-12)
	near(t, "low", e.Low, .5-2.7764451/math.Sqrt(5)/8, 1e-7)
	near(t, "high", e.High, .5+2.7764451/math.Sqrt(5)/8, 1e-7)
	if e.N != 5 {
		t.Errorf("n = %d, want 5", e.N)
	}
}

// Below five clusters, or of nothing, there is no interval; clusters without
// trials do not count.
func TestRatioWithoutInterval(t *testing.T) {
	e := Ratio([]Cluster{{1, 2}, {1, 2}, {1, 2}, {1, 2}, {0, 0}})
	if e.Bounded() || e.N != 4 || e.Value != .5 {
		t.Errorf("%+v, want .5 of 4 clusters and no interval", e)
	}
	if e := Ratio(nil); !math.IsNaN(e.Value) || e.Bounded() || e.N != 0 {
		t.Errorf("%+v of nothing", e)
	}
}

// Prompts that differ make the interval wide, however many tokens each has: a
// Wilson interval over the 4000 trials would be 3 % wide.
func TestIntervalsCluster(t *testing.T) {
	for _, n := range []int{10, 40} {
		var clusters []Cluster
		for i := range n {
			clusters = append(clusters, Cluster{Y: 4000 / float64(n) * float64(i%2), X: 4000 / float64(n)})
		}
		if e := Proportion(clusters); e.High-e.Low < .25 || e.Low < 0 || e.High > 1 {
			t.Errorf("n = %d: %+v, want an interval of at least .25 within [0, 1]", n, e)
		}
	}
}

// Both intervals hold the true ratio about as often as they say.
func TestCoverage(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, c := range []struct {
		n    int
		low  float64
		high float64
	}{{12, .90, .985}, {25, .88, .985}} {
		const runs = 300
		hit := 0
		for range runs {
			var clusters []Cluster
			for range c.n {
				a, x := .6+.2*(rng.Float64()-.5), float64(20+rng.IntN(20))
				clusters = append(clusters, Cluster{Y: a * x, X: x})
			}
			if e := Ratio(clusters); e.Low <= .6 && .6 <= e.High {
				hit++
			}
		}
		if share := float64(hit) / runs; share < c.low || share > c.high {
			t.Errorf("n = %d: the interval holds the truth in %.3f of runs, want [%v, %v]", c.n, share, c.low, c.high)
		}
	}
}

func near(t *testing.T, what string, got, want, tolerance float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tolerance) {
		t.Errorf("%s = %v, want %v", what, got, want)
	}
}

// The interval of a ratio of times never reaches 0, holds the value, and is the ratio
// estimator's to first order where that is narrow.
func TestPositive(t *testing.T) {
	wild := []Cluster{{9, 1}, {.1, 1}, {.1, 1}, {.1, 1}, {.1, 1}, {.1, 1}}
	if plain, e := Ratio(wild), Positive(wild); !(plain.Low < 0) || !(e.Low > 0 && e.Low < e.Value && e.Value < e.High) {
		t.Errorf("%+v, on the log %+v", plain, e)
	}
	calm := []Cluster{{1.01, 1}, {1, 1}, {.99, 1}, {1, 1}, {1.02, 1}}
	if plain, e := Ratio(calm), Positive(calm); math.Abs(plain.Low-e.Low) > 1e-3 || math.Abs(plain.High-e.High) > 1e-3 || plain.Value != e.Value {
		t.Errorf("%+v, on the log %+v", plain, e)
	}
	if e := Positive(calm[:4]); e.Bounded() {
		t.Errorf("4 clusters have an interval: %+v", e)
	}
}
