package results

import (
	"math"
	"time"

	"foretoken/stat"
)

// Costs are in forwards of one row, t(1): medians over rounds after the first of
// each request, whose caches are cold.
type Costs struct {
	One    time.Duration   // t(1), of the control
	Draft  float64         // c: time to draft a token; NaN where none was drafted
	Verify map[int]float64 // t(n)/t(1) by rows n = drafted + 1
	Rounds map[int]int     // how many rounds each of Verify is the median of
}

// MeasureCosts compares the rounds of an arm with those of its control.
func MeasureCosts(arm, control []Row) Costs {
	var plain, drafts []float64
	for _, r := range control {
		for _, x := range later(r) {
			plain = append(plain, float64(x.Verify))
		}
	}
	one := stat.Median(plain)
	byRows := map[int][]float64{}
	for _, r := range arm {
		for _, x := range later(r) {
			byRows[x.Drafted+1] = append(byRows[x.Drafted+1], float64(x.Verify)/one)
			if x.Drafted > 0 {
				drafts = append(drafts, float64(x.Draft)/float64(x.Drafted)/one)
			}
		}
	}
	c := Costs{Draft: stat.Median(drafts), Verify: map[int]float64{}, Rounds: map[int]int{}}
	if !math.IsNaN(one) {
		c.One = time.Duration(one)
	}
	for n, v := range byRows {
		c.Verify[n], c.Rounds[n] = stat.Median(v), len(v)
	}
	return c
}

// At is t(n)/t(1), NaN where no round had n rows.
func (c Costs) At(n int) float64 {
	if v, ok := c.Verify[n]; ok {
		return v
	}
	return math.NaN()
}

func later(r Row) Rounds { return r.Rounds[min(1, len(r.Rounds)):] }

// A Split is where the time of requests went, as shares of the rounds' time.
type Split struct {
	Draft, Verify, Accept, Rest float64
	Outside                     float64 // set-up, both prefills and what else is not a round, as a share of the wall time
}

// SplitOf sums over rows.
func SplitOf(rows []Row) Split {
	var s Split
	var wall, decode time.Duration
	for _, r := range rows {
		t := r.Rounds.totals()
		s.Draft, s.Verify = s.Draft+float64(t.Draft), s.Verify+float64(t.Verify)
		s.Accept, s.Rest = s.Accept+float64(t.Accept), s.Rest+float64(t.Rest)
		wall, decode = wall+r.Facts.Wall, decode+r.Decode()
	}
	for _, p := range []*float64{&s.Draft, &s.Verify, &s.Accept, &s.Rest} {
		*p /= float64(decode)
	}
	s.Outside = 1 - float64(decode)/float64(wall)
	return s
}

// medianOf is the median of a duration over rows.
func medianOf(rows []Row, of func(Row) time.Duration) time.Duration {
	all := make([]time.Duration, len(rows))
	for i, r := range rows {
		all[i] = of(r)
	}
	return stat.Median(all)
}
