package cost

import (
	"context"
	"fmt"

	"foretoken/model"
)

// Agree measures how often the draft's best id is the target's along the target's own greedy
// text, n tokens after each prompt.
func Agree(ctx context.Context, target, draft model.Model, prompts [][]model.Token, n int) (a Agreement, err error) {
	if len(prompts) == 0 {
		return a, fmt.Errorf("cost: no prompts to measure agreement on")
	}
	for _, prompt := range prompts {
		text, err := greedy(ctx, target, prompt, n)
		if err != nil {
			return a, err
		}
		guesses, err := forced(draft, append(append([]model.Token(nil), prompt...), text[:len(text)-1]...), len(text))
		if err != nil {
			return a, err
		}
		same := 0
		for i, t := range text {
			if guesses[i] == t {
				same++
			}
		}
		a.Same, a.Tokens = append(a.Same, same), append(a.Tokens, len(text))
	}
	return a, nil
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
