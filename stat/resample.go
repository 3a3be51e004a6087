package stat

import (
	"math/rand/v2"
	"slices"
)

// Resample draws units anew, with replacement, so many times: of each group as many as it
// has, by number. It calls of with what was drawn, which is lent. Draws of the same sizes
// are always the same.
func Resample(times int, sizes []int, of func(drawn [][]int)) {
	all := 0
	drawn := make([][]int, len(sizes))
	for g, n := range sizes {
		drawn[g] = make([]int, n)
		all += n
	}
	rng := rand.New(rand.NewPCG(0xf07e, uint64(all)))
	for range times {
		for g, n := range sizes {
			for k := range n {
				drawn[g][k] = rng.IntN(n)
			}
		}
		of(drawn)
	}
}

// Percentiles is value with the percentile interval of its resamples (Efron and Tibshirani
// 1993, section 13.3), which are of n units: as many resamples lie below it as above. Of
// fewer than 5 units there is none.
func Percentiles(value float64, resamples []float64, n int) Interval {
	i := Alone(value, n)
	if n < Fewest {
		return i
	}
	sorted := slices.Sorted(slices.Values(resamples))
	cut := len(sorted) / 40
	i.Low, i.High, i.Method = sorted[cut], sorted[len(sorted)-1-cut], Bootstrap
	return i
}
