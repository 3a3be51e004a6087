package spec_test

import (
	"context"
	"fmt"

	"foretoken/draft"
	"foretoken/model"
	"foretoken/model/modeltest"
	"foretoken/sampler"
	"foretoken/spec"
)

// doubling drafts the last token again and again: a drafter of one's own is a factory and
// what it makes.
type doubling struct{}

func (doubling) New(draft.Env) (draft.Drafter, error) { return doubling{}, nil }

func (doubling) Law() draft.Law { return draft.Law{Fingerprint: sampler.PointFingerprint} }
func (doubling) Close() error   { return nil }

func (doubling) Propose(ctx context.Context, at sampler.Position, limit int) (draft.Proposal, error) {
	var p draft.Proposal
	last := at.History[len(at.History)-1]
	for range limit {
		p.Tokens, p.Dists = append(p.Tokens, last), append(p.Dists, sampler.Point(last))
	}
	return p, ctx.Err()
}

// Greedy text is the target's own, whoever drafts.
func ExampleGenerate() {
	target := modeltest.Markov{Rows: [][]float32{{0, 5, 0}, {0, 4, 3}, {5, 0, 0}}} // after 0 comes 1, and then always 1
	setup := spec.Setup{Target: target, Drafter: doubling{}}
	got, err := spec.Generate(context.Background(), setup,
		spec.Request{Prompt: []model.Token{0}, K: 3, MaxTokens: 9, Sampler: sampler.NewConfig(0), Seed: 1})
	if err != nil {
		fmt.Println(err)
		return
	}
	accepted := 0
	for _, r := range got.Rounds {
		accepted += r.Accepted
	}
	fmt.Println(got.Tokens, "in", len(got.Rounds), "rounds,", accepted, "drafts accepted")
	// Output: [1 1 1 1 1 1 1 1 1] in 3 rounds, 6 drafts accepted
}

// The loop of Generate, step by step, as a scheduler writes it.
func ExampleOpen() {
	ctx := context.Background()
	g, err := spec.Open(ctx, spec.Setup{Target: modeltest.Markov{Rows: [][]float32{{0, 5, 0}, {0, 4, 3}, {5, 0, 0}}}, Drafter: doubling{}},
		spec.Request{Prompt: []model.Token{0}, K: 2, MaxTokens: 5, Sampler: sampler.NewConfig(0)})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer g.Close()
	for !g.Done() {
		step, err := g.Begin(ctx)
		if err != nil {
			fmt.Println(err)
			return
		}
		logits, err := step.Forward()
		if err != nil {
			fmt.Println(err)
			return
		}
		e, err := step.Settle(logits)
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println("forwarded", step.Batch.Tokens, "emitted", e.Tokens)
	}
	// Output:
	// forwarded [0 0 0] emitted [1]
	// forwarded [1 1 1] emitted [1 1 1]
	// forwarded [1] emitted [1]
}
