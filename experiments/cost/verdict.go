package cost

import (
	"fmt"

	"foretoken/stat"
)

// Verdict says in a line whether the pair pays. It gives none where the measurements cannot
// carry one: too few, an interval that holds break-even, or a forward of more rows that took
// less time than one of fewer.
func Verdict(c Curve, fs []Forecast) string {
	best := Best(fs)
	s := best.Speedup
	at := fmt.Sprintf("%s expected at the best K, %d", stat.Times.Interval(s), best.K)
	switch fall := c.falls(best.K + 1); {
	case !s.Bounded():
		return fmt.Sprintf("no verdict: %.2fx expected at the best K, %d, of too few measurements for an interval: want at least %d repeats, and as many texts", s.Value, best.K, stat.Fewest)
	case fall != "":
		return "no verdict: " + fall + ", which only a disturbed machine or another kernel does; measure again on a quiet one"
	case !s.Resolved(1):
		return "no verdict: " + at + "; the interval holds 1, break-even"
	case s.Value < 1:
		return "does not pay: " + at
	}
	return "pays: " + at
}

// falls says where a forward of more rows, up to most, took less time than one of fewer,
// beyond what resampling the turns gives; "" where none did.
func (c Curve) falls(most int) string {
	if len(c.turns()) < stat.Fewest {
		return ""
	}
	for m := 2; m <= most; m++ {
		for n := 1; n < m; n++ {
			if r := c.over(m, n); r.High < 1 {
				return fmt.Sprintf("t(%d)/t(%d) is %s", m, n, stat.Plain.Interval(r))
			}
		}
	}
	return ""
}

// over is t(m)/t(n) with its interval, medians over turns.
func (c Curve) over(m, n int) stat.Interval {
	turns := c.turns()
	of := func(some []int) float64 {
		return float64(median(c.Target[m-1], some)) / float64(median(c.Target[n-1], some))
	}
	var drawn []float64
	stat.Resample(resamples/4, []int{len(turns)}, func(some [][]int) { drawn = append(drawn, of(some[0])) })
	return stat.Percentiles(of(turns), drawn, len(turns))
}

// Ratio is t(n)/t(1) with its interval.
func (c Curve) Ratio(n int) stat.Interval { return c.over(n, 1) }
