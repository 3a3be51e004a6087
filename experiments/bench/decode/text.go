package decode

import (
	"context"

	"foretoken/model"
	"foretoken/sampler"
	"foretoken/spec"
)

// OnTexts times greedy decoding of texts with a pair, or without a drafter at K 0, up
// to as many tokens of each; what ends a text ends it.
func OnTexts(name string, setup spec.Setup, texts [][]model.Token, eos []model.Token, k, tokens int) Arm {
	greedy := sampler.NewConfig(0)
	time := func(ctx context.Context, _ Task) (float64, error) {
		var ms float64
		n := 0
		for _, prompt := range texts {
			result, err := spec.Generate(ctx, setup, spec.Request{Prompt: prompt, K: k, MaxTokens: tokens, EOS: eos, Sampler: greedy})
			if err != nil {
				return 0, err
			}
			f := result.Facts
			ms += (f.Wall - f.Setup - f.PrefillTarget - f.PrefillDraft).Seconds() * 1e3
			n += len(result.Tokens)
		}
		return ms / float64(n), nil
	}
	return Arm{Name: name, Tasks: []Task{Speculation}, Time: time}
}
