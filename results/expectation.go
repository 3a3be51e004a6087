package results

import (
	"maps"
	"math"
	"slices"
)

// ExpectedTokens is 1 + a1 + a1*a2 + ...: tokens per round when a[i] is the chance
// that draft position i is kept given that those before it were.
func ExpectedTokens(a []float64) float64 {
	sum, product := 1.0, 1.0
	for _, x := range a {
		product *= x
		if product == 0 { // what comes after was never judged
			break
		}
		sum += product
	}
	return sum
}

// ExpectedSpeedup is what the rounds would emit over what they would cost, both
// summed over rounds by how many tokens they drafted: ExpectedTokens of so many
// positions, and d*c + t(d+1)/t(1), in forwards of one row, for a round that drafts
// d tokens at c each and verifies d+1 rows. drafted holds the number of rounds of
// each d; rounds of a length that was not timed are left out.
func ExpectedSpeedup(a []float64, drafted map[int]int, c Costs) float64 {
	var tokens, cost float64
	for _, d := range slices.Sorted(maps.Keys(drafted)) { // in order: the sums have one rounding
		verify, n := c.At(d+1), float64(drafted[d])
		if math.IsNaN(verify) || d > len(a) {
			continue
		}
		tokens += n * ExpectedTokens(a[:d])
		cost += n * verify
		if d > 0 {
			cost += n * float64(d) * c.Draft
		}
	}
	return tokens / cost
}

// LeviathanTokens is (1-a^(K+1))/(1-a): tokens per round at one acceptance for
// every position (Leviathan et al. 2023, eq. 1).
func LeviathanTokens(a float64, k int) float64 {
	if a == 1 {
		return float64(k + 1)
	}
	return (1 - math.Pow(a, float64(k+1))) / (1 - a)
}

// LeviathanSpeedup is LeviathanTokens over K*c + 1: a verify costs what one step
// does (Leviathan et al. 2023, Theorem 3.8).
func LeviathanSpeedup(a float64, k int, c float64) float64 {
	return LeviathanTokens(a, k) / (float64(k)*c + 1)
}
