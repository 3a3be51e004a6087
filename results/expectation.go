package results

import "math"

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

// ExpectedSpeedup is ExpectedTokens over K*c + t(K+1)/t(1): a round drafts K
// tokens at c each, and verifies them at what a forward of K+1 rows was measured
// to cost. Both costs are in forwards of one row.
func ExpectedSpeedup(a []float64, c, verify float64) float64 {
	return ExpectedTokens(a) / (float64(len(a))*c + verify)
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
