package cost

import (
	"context"
	"fmt"

	"foretoken/model"
	"foretoken/results"
)

// A Pair is what a forecast needs to know of a draft model beside a target's curve.
type Pair struct {
	Draft     float64 // c: a forward of one row of the draft, in t(1) of the target
	Agreement float64 // a: the chance that the draft's best id is the target's, greedy
	Tokens    int     // that it was measured on; 0: it was given
}

// A Forecast is what draft length K comes to.
type Forecast struct {
	K         int
	Tokens    float64 // a round: (1-a^(K+1))/(1-a)
	Round     float64 // its cost, K*c + t(K+1)/t(1), in plain tokens
	Speedup   float64 // Tokens / Round
	BreakEven float64 // the agreement from which K gains; above 1: it never does
}

// Forecasts are of every K that c knows the verify of.
func Forecasts(c Curve, p Pair) (out []Forecast) {
	for k := 1; k < len(c.Times); k++ {
		f := Forecast{K: k, Tokens: results.LeviathanTokens(p.Agreement, k), Round: float64(k)*p.Draft + c.Ratio(k+1)}
		f.Speedup, f.BreakEven = f.Tokens/f.Round, breakEven(k, f.Round)
		out = append(out, f)
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
		if f.Speedup > best.Speedup {
			best = f
		}
	}
	return best
}

// Agreement is how often the draft's best id is the target's along the target's own
// greedy text, n tokens after each prompt.
func Agreement(ctx context.Context, target, draft model.Model, prompts [][]model.Token, n int) (share float64, tokens int, err error) {
	same := 0
	for _, prompt := range prompts {
		text, err := greedy(ctx, target, prompt, n)
		if err != nil {
			return 0, 0, err
		}
		guesses, err := forced(draft, append(append([]model.Token(nil), prompt...), text[:len(text)-1]...), len(text))
		if err != nil {
			return 0, 0, err
		}
		for i, t := range text {
			if guesses[i] == t {
				same++
			}
		}
		tokens += len(text)
	}
	if tokens == 0 {
		return 0, 0, fmt.Errorf("cost: no prompts to measure agreement on")
	}
	return float64(same) / float64(tokens), tokens, nil
}

func greedy(ctx context.Context, m model.Model, prompt []model.Token, n int) (text []model.Token, err error) {
	s, err := m.NewSession()
	if err != nil {
		return nil, err
	}
	for next := prompt; len(text) < n && err == nil; next = text[len(text)-1:] {
		var best []model.Token
		if best, err = argmaxes(s, next, 1); err == nil {
			text = append(text, best[0])
			err = ctx.Err()
		}
	}
	if e := s.Close(); err == nil {
		err = e
	}
	return text, err
}

func forced(m model.Model, tokens []model.Token, rows int) ([]model.Token, error) {
	s, err := m.NewSession()
	if err != nil {
		return nil, err
	}
	best, err := argmaxes(s, tokens, rows)
	best = append([]model.Token(nil), best...)
	if e := s.Close(); err == nil {
		err = e
	}
	return best, err
}

func argmaxes(s model.Session, tokens []model.Token, rows int) ([]model.Token, error) {
	l, err := s.Forward(tokens, rows)
	if err != nil {
		return nil, err
	}
	return l.Argmaxes()
}
