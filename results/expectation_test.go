package results

import (
	"fmt"
	"math"
	"testing"
)

// The table of Leviathan et al. 2023: acceptance, K, cost, and the speed-up they
// expect. Their inputs are rounded to two digits, so the value has to lie in the
// range that inputs off by .005 span, rounded to a digit.
func TestLeviathansTable(t *testing.T) {
	exact := 0
	for _, c := range []struct {
		a    float64
		k    int
		cost float64
		want string
	}{
		{.75, 7, .02, "3.2"}, {.80, 7, .04, "3.3"}, {.82, 7, .11, "2.5"},
		{.62, 7, .02, "2.3"}, {.68, 5, .04, "2.4"}, {.71, 3, .11, "2.0"},
		{.65, 5, .02, "2.4"}, {.73, 5, .04, "2.6"}, {.74, 3, .11, "2.0"},
		{.53, 5, .02, "1.9"}, {.55, 3, .04, "1.8"}, {.56, 3, .11, "1.6"},
	} {
		if fmt.Sprintf("%.1f", LeviathanSpeedup(c.a, c.k, c.cost)) == c.want {
			exact++
			continue
		}
		low := fmt.Sprintf("%.1f", LeviathanSpeedup(c.a-.005, c.k, c.cost+.005))
		high := fmt.Sprintf("%.1f", LeviathanSpeedup(c.a+.005, c.k, c.cost-.005))
		if c.want < low || c.want > high {
			t.Errorf("a = %v, K = %d, c = %v: %s to %s, the paper has %s", c.a, c.k, c.cost, low, high, c.want)
		}
	}
	if exact != 9 {
		t.Errorf("%d of the 12 values come out to the digit, want 9", exact)
	}
}

// With one acceptance for all positions both expectations are one formula, but
// for what a verify costs.
func TestExpectations(t *testing.T) {
	near(t, "tokens", ExpectedTokens([]float64{.5, .5, .5}), 1.875, 1e-12)
	near(t, "tokens, Leviathan's", LeviathanTokens(.5, 3), 1.875, 1e-12)
	near(t, "tokens at a = 1", LeviathanTokens(1, 4), 5, 0)
	near(t, "tokens of K = 0", LeviathanTokens(.3, 0), 1, 1e-12)
	near(t, "uneven tokens", ExpectedTokens([]float64{.8, .5}), 2.2, 1e-12)
	near(t, "tokens where position 2 was never kept", ExpectedTokens([]float64{.5, 0, math.NaN()}), 1.5, 1e-12)
	costs := Costs{Draft: .1, Verify: map[int]float64{1: 1, 3: 1.4, 4: 1}}
	near(t, "speed-up", ExpectedSpeedup([]float64{.8, .5}, map[int]int{2: 7}, costs), 2.2/1.6, 1e-12)
	near(t, "speed-up, verify for one step", ExpectedSpeedup([]float64{.5, .5, .5}, map[int]int{3: 1}, costs), LeviathanSpeedup(.5, 3, .1), 1e-12)
	near(t, "speed-up, a third of the rounds draft nothing", ExpectedSpeedup([]float64{.8, .5}, map[int]int{2: 4, 0: 2}, costs), (4*2.2+2)/(4*1.6+2), 1e-12)
	near(t, "speed-up, a length that was not timed", ExpectedSpeedup([]float64{.8, .5}, map[int]int{2: 4, 1: 9}, costs), 2.2/1.6, 1e-12)
	near(t, "speed-up, nothing is ever drafted", ExpectedSpeedup([]float64{math.NaN()}, map[int]int{0: 4}, Costs{Draft: math.NaN(), Verify: map[int]float64{1: 1}}), 1, 1e-12)
}
