package cost

import (
	"foretoken/results"
	"foretoken/stat"
)

// An Agreement is how often the draft's best id was the target's, text by text. It is given
// where there are no texts.
type Agreement struct {
	Same, Tokens []int
	Given        float64
}

// value is the share of some texts.
func (a Agreement) value(texts []int) float64 {
	if len(a.Tokens) == 0 {
		return a.Given
	}
	same, tokens := 0, 0
	for _, i := range texts {
		same, tokens = same+a.Same[i], tokens+a.Tokens[i]
	}
	return float64(same) / float64(tokens)
}

// All is the number of tokens that agreement was measured on; 0: it was given.
func (a Agreement) All() int {
	n := 0
	for _, t := range a.Tokens {
		n += t
	}
	return n
}

// texts are its texts, by number.
func (a Agreement) texts() []int { return every(len(a.Tokens)) }

// A Forecast is what draft length K comes to, from c, the time to draft a token in t(1), and
// a, the agreement.
type Forecast struct {
	K         int
	Tokens    float64       // a round: (1-a^(K+1))/(1-a)
	Round     float64       // its cost, K*c + t(K+1)/t(1), in plain tokens
	Speedup   stat.Interval // Tokens / Round
	BreakEven float64       // the agreement from which K gains; above 1: it never does
}

// resamples is how often turns and texts are drawn anew.
const resamples = 2000

// Forecasts are of every K that c knows the verify of. The intervals come of resampling the
// turns of the measurements and the texts of the agreement; of fewer than 5 turns, or of 1
// to 4 texts, there are none.
func Forecasts(c Curve, a Agreement) []Forecast {
	turns, texts := c.turns(), a.texts()
	out := make([]Forecast, c.Rows()-1)
	drawn := make([][]float64, len(out))
	stat.Resample(resamples, []int{len(turns), len(texts)}, func(some [][]int) {
		share, draft := a.value(some[1]), c.draft(some[0])
		for i := range out {
			drawn[i] = append(drawn[i], results.LeviathanTokens(share, i+1)/(float64(i+1)*draft+c.ratio(i+2, some[0])))
		}
	})
	units := len(turns)
	if len(texts) > 0 {
		units = min(units, len(texts))
	}
	for i := range out {
		k := i + 1
		f := Forecast{K: k, Tokens: results.LeviathanTokens(a.value(texts), k), Round: float64(k)*c.draft(turns) + c.ratio(k+1, turns)}
		f.BreakEven = breakEven(k, f.Round)
		f.Speedup = stat.Percentiles(f.Tokens/f.Round, drawn[i], units)
		out[i] = f
	}
	return out
}

// breakEven is the acceptance at which a round's tokens are worth its cost.
func breakEven(k int, round float64) float64 {
	low, high := 0.0, 1.0
	switch {
	case round <= 1:
		return 0
	case round > float64(k+1):
		return 2
	}
	for range 60 {
		if mid := (low + high) / 2; results.LeviathanTokens(mid, k) < round {
			low = mid
		} else {
			high = mid
		}
	}
	return high
}

// Best is the forecast of the largest speed-up.
func Best(fs []Forecast) Forecast {
	best := fs[0]
	for _, f := range fs {
		if f.Speedup.Value > best.Speedup.Value {
			best = f
		}
	}
	return best
}
