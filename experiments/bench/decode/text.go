package decode

import (
	"context"
	"fmt"
	"slices"
	"time"

	"foretoken/model"
	"foretoken/sampler"
	"foretoken/spec"
)

// Speculator is one way of this program to decode texts greedily.
type Speculator struct {
	Setup  spec.Setup
	EOS    []model.Token // end a text before it is full
	K      int           // 0 without a drafter
	Tokens int           // of a text at most
}

// Want decodes the texts, plainly, and notes what every arm is held to. written gives
// tokens as a text.
func (s Speculator) Want(ctx context.Context, texts []Text, written func([]model.Token) string) error {
	for i := range texts {
		t := &texts[i]
		r, err := s.generate(ctx, t.Prompt)
		if err != nil {
			return fmt.Errorf("bench: %s: %w", t.ID, err)
		}
		if len(r.Tokens) == 0 {
			return fmt.Errorf("bench: %s: no token, want some to time", t.ID)
		}
		t.Want, t.Wanted = r.Tokens, written(r.Tokens)
	}
	return nil
}

// Arm times the texts. What the rounds took is counted, not what came before them. A
// draft length without a drafter, or none with one, panics.
func (s Speculator) Arm(name string, texts []Text) Arm {
	if (s.K > 0) != (s.Setup.Drafter != nil) {
		panic(fmt.Sprintf("decode: K=%d with the drafter %T", s.K, s.Setup.Drafter))
	}
	return Arm{Name: name, Own: true, Tasks: TextTasks(texts), Time: func(ctx context.Context, t Task) (Measure, error) {
		r, err := s.generate(ctx, t.Text.Prompt)
		if err != nil {
			return Measure{}, err
		}
		f := r.Facts
		took := f.Wall - f.Setup - f.PrefillTarget - f.PrefillDraft
		n := len(r.Tokens)
		return Measure{MS: perToken(took, n), Tokens: n, Same: slices.Equal(r.Tokens, t.Text.Want)}, nil
	}}
}

func (s Speculator) generate(ctx context.Context, prompt []model.Token) (spec.Result, error) {
	return spec.Generate(ctx, s.Setup, spec.Request{Prompt: prompt, K: s.K, MaxTokens: s.Tokens, EOS: s.EOS, Sampler: sampler.NewConfig(0)})
}

func perToken(took time.Duration, n int) float64 { return took.Seconds() * 1e3 / float64(max(n, 1)) }
