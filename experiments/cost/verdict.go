package cost

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
)

// none is no end of an interval.
var none = math.NaN()

// Verdict says in a line whether the pair pays. It gives none where the measurements cannot
// carry one: too few, an interval that holds break-even, or a forward of more rows that took
// less time than one of fewer.
func Verdict(c Curve, fs []Forecast) string {
	best := Best(fs)
	s := best.Speedup
	at := fmt.Sprintf("%.2fx [%.2f, %.2f] expected at the best K, %d", s.Value, s.Low, s.High, best.K)
	switch fall := c.falls(best.K + 1); {
	case math.IsNaN(s.Low):
		return fmt.Sprintf("no verdict: %.2fx expected at the best K, %d, of too few measurements for an interval: want at least %d repeats, and as many texts", s.Value, best.K, leastN)
	case fall != "":
		return "no verdict: " + fall + ", which only a disturbed machine or another kernel does; measure again on a quiet one"
	case s.holds(1):
		return "no verdict: " + at + "; the interval holds 1, break-even"
	case s.Value < 1:
		return "does not pay: " + at
	}
	return "pays: " + at
}

// falls says where a forward of more rows, up to most, took less time than one of fewer,
// beyond what resampling the turns gives; "" where none did.
func (c Curve) falls(most int) string {
	if len(c.turns()) < leastN {
		return ""
	}
	for m := 2; m <= most; m++ {
		for n := 1; n < m; n++ {
			if r := c.over(m, n); r.High < 1 {
				return fmt.Sprintf("t(%d)/t(%d) is %.2f [%.2f, %.2f]", m, n, r.Value, r.Low, r.High)
			}
		}
	}
	return ""
}

// over is t(m)/t(n) with its interval, medians over turns.
func (c Curve) over(m, n int) Interval {
	turns := c.turns()
	of := func(some []int) float64 {
		return float64(median(c.Target[m-1], some)) / float64(median(c.Target[n-1], some))
	}
	rng := rand.New(rand.NewPCG(0xc057, uint64(m*1000+n)))
	var drawn []float64
	for range resamples / 4 {
		drawn = append(drawn, of(sample(rng, turns)))
	}
	slices.Sort(drawn)
	return percentiles(of(turns), drawn, len(turns) >= leastN)
}

// Ratio is t(n)/t(1) with its interval.
func (c Curve) Ratio(n int) Interval { return c.over(n, 1) }
