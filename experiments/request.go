package experiments

import (
	"context"
	"errors"
	"fmt"

	"foretoken/results"
	"foretoken/spec"
)

// onPrompt runs a prompt, which the target computes once, on arms, and hands on the
// result of the n-th.
func (r *runner) onPrompt(ctx context.Context, prompt int, arms []int, seed uint64, maxTokens int, take func(n int, res spec.Result) error) (err error) {
	if len(arms) == 0 {
		return nil
	}
	at := results.Key{Arm: r.arms[arms[0]].ID, Prompt: r.prompts[prompt].ID, Seed: seed}
	prefill, err := r.arms[arms[0]].setup.Prefill(ctx, r.ids[prompt])
	if err != nil {
		return r.explain(ctx, at, err)
	}
	defer func() { err = errors.Join(err, prefill.Close()) }()
	for n, i := range arms {
		at.Arm = r.arms[i].ID
		res, err := r.request(ctx, prefill, i, prompt, seed, maxTokens)
		if err != nil {
			return r.explain(ctx, at, err)
		}
		if err := take(n, res); err != nil {
			return err
		}
	}
	return nil
}

func (r *runner) request(ctx context.Context, on *spec.Prefill, arm, prompt int, seed uint64, maxTokens int) (spec.Result, error) {
	a := r.arms[arm]
	engine, err := a.constrainer.Engine(r.ids[prompt])
	if err != nil {
		return spec.Result{}, err
	}
	q := spec.Request{Prompt: r.ids[prompt], Prefill: on, K: a.K, MaxTokens: maxTokens, Sampler: r.config.at(a.Temperature), Seed: seed,
		EOS: EndTokens(r.ends), Stop: r.config.Stop, StopTokens: r.target.StopTokens(r.config.Stop), Text: r.target.Tokenizer.NewStream(), Engine: engine}
	if r.config.Logprobs >= 0 {
		q.TopLogprobs = &r.config.Logprobs
	}
	return spec.Generate(ctx, a.setup, q)
}

// explain says which request failed, unless it was stopped.
func (r *runner) explain(ctx context.Context, k results.Key, err error) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return fmt.Errorf("%s: %w", k, err)
}
