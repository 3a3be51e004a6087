package spec_test

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"foretoken/draft"
	"foretoken/model"
	"foretoken/sampler"
	"foretoken/sampler/samplertest"
	"foretoken/spec"
)

// Faults that only constrained rows show turn the constrained law red.
func TestConstrainedLawSeesFaults(t *testing.T) {
	for name, c := range map[string]struct {
		engine string
		blind  bool
		fault  func(rig, *spec.Setup, *spec.Request)
	}{
		"draft cut where the grammar forbids": {"grammar", true, wrapDrafter(func(d draft.Drafter) draft.Drafter { return cutForbidden{d} })},
		"refused drafts leave a trace":        {"grammar", false, func(_ rig, _ *spec.Setup, q *spec.Request) { q.Engine = &leaky{last: q.Prompt[len(q.Prompt)-1]} }},
		"constraint late by a token":          {"think", true, func(_ rig, _ *spec.Setup, q *spec.Request) { q.Engine = sampler.Think(2, 3, late{}) }},
		"one token of reasoning too many": {"think", true, func(_ rig, _ *spec.Setup, q *spec.Request) {
			q.Engine = sampler.Think(3, 3, samplertest.NoRepeat{Last: 3})
		}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := drafters(markov, guess)["model"]
			r.cfg, r.engine, r.blind = laws["temperature"], engines[c.engine], c.blind
			if p, df := lawTail(t, r, c.engine); p < green {
				t.Fatalf("p = %.1e with %d degrees of freedom without the fault", p, df)
			}
			r.fault = c.fault
			if p, df := lawTail(t, r, c.engine); p > red {
				t.Errorf("p = %.1e with %d degrees of freedom: the fault is not seen", p, df)
			}
		})
	}
}

// cutForbidden cuts the draft at the first token that NoRepeat forbids: whether a
// token is there depends on the token.
type cutForbidden struct{ draft.Drafter }

func (d cutForbidden) Propose(ctx context.Context, at sampler.Position, limit int) (draft.Proposal, error) {
	p, err := d.Drafter.Propose(ctx, at, limit)
	last := at.History[len(at.History)-1]
	for i, x := range p.Tokens {
		if x == last {
			p.Tokens, p.Dists = p.Tokens[:i], p.Dists[:i]
			break
		}
		last = x
	}
	return p, err
}

// leaky is NoRepeat that Next changes.
type leaky struct{ last model.Token }

func (e *leaky) WantsMask() bool { return true }
func (e *leaky) Mask(allowed model.Mask) error {
	return samplertest.NoRepeat{Last: e.last}.Mask(allowed)
}
func (e *leaky) Next(x model.Token) (sampler.ConstraintEngine, error) {
	e.last = x
	return e, nil
}

// late forbids repetition from the second token on.
type late struct{}

func (late) WantsMask() bool         { return false }
func (late) Mask(m model.Mask) error { m.Fill(64 * len(m)); return nil }
func (late) Next(x model.Token) (sampler.ConstraintEngine, error) {
	return samplertest.NoRepeat{Last: x}, nil
}

// The record tells drafts that the grammar killed from drafts that the model
// refused.
func TestKilled(t *testing.T) {
	for name, r := range drafters(hash, cousin) {
		for _, blind := range []bool{false, true} {
			r.engine, r.cfg, r.blind = engines["grammar"], config(1, false), blind
			killed, refused := 0, 0
			for seed := range uint64(20) {
				r.seed = seed
				spy := &spying{}
				r.fault = wrapDrafter(func(d draft.Drafter) draft.Drafter { spy.Drafter = d; return spy })
				g := r.open(t, 4, 60-len(r.prompt))
				for !g.Done() {
					before := len(g.Tokens())
					round := step(t, g)
					want := 0
					if round.Judged > round.Accepted {
						refused++
						if spy.last.Tokens[round.Accepted] == slices.Concat(r.prompt, g.Tokens())[len(r.prompt)+before+round.Accepted-1] {
							want = 1
						}
					}
					if round.Killed != want {
						t.Fatalf("%s, blind %v: %d killed, want %d, in %+v", name, blind, round.Killed, want, round)
					}
					killed += round.Killed
				}
			}
			knows := !blind && name != "ngram" || name == "none"
			if knows && killed > 0 || !knows && (killed == 0 || killed == refused) {
				t.Errorf("%s, blind %v: %d of %d refused drafts were killed", name, blind, killed, refused)
			}
		}
	}
}

// spying remembers the last proposal.
type spying struct {
	draft.Drafter
	last draft.Proposal
}

func (s *spying) Propose(ctx context.Context, at sampler.Position, limit int) (draft.Proposal, error) {
	var err error
	s.last, err = s.Drafter.Propose(ctx, at, limit)
	return s.last, err
}

// Reasoning stays within the budget, the closing tag comes once, the constraint
// begins with the token after it, also within a draft, and at temperature 0 the
// text is the same for every K.
func TestThinkingBudget(t *testing.T) {
	for _, end := range [][]model.Token{{3}, {3, 5}} {
		inside := 0 // blocks that closed among drafted tokens
		for _, name := range draft.Names() {
			for _, budget := range []int{0, 1, 16, sampler.Unlimited} {
				for _, temperature := range []float32{0, 1} {
					var plain []model.Token
					for _, k := range []int{0, 4, 8} {
						s, r := setup(name), request(k, 48)
						r.Sampler, r.Engine = sampler.NewConfig(temperature), sampler.ThinkUntil(budget, end, samplertest.NoRepeat{Last: end[len(end)-1]})
						got, err := spec.Generate(t.Context(), s, r)
						check(t, err)
						at := fmt.Sprintf("%s, budget %d, end %v, k %d, temperature %v", name, budget, end, k, temperature)
						if temperature == 0 && k > 0 && !slices.Equal(got.Tokens, plain) {
							t.Errorf("%s:\n%v, without a draft\n%v", at, got.Tokens, plain)
						}
						plain = got.Tokens
						closes := closing(t, at, got.Tokens, end, budget)
						if closes >= 0 && drafted(got.Rounds, closes) {
							inside++
						}
					}
				}
			}
		}
		if inside < 10 {
			t.Errorf("end %v: %d blocks closed among drafted tokens", end, inside)
		}
	}
}

// closing holds a text to budget and NoRepeat, and returns where its tag ends.
func closing(t *testing.T, at string, text, end []model.Token, budget int) int {
	t.Helper()
	s := sampler.NewThinkSplitter(nil, end, true)
	closes := -1
	for i, x := range text {
		if s.Push(x); !s.Inside() {
			closes = i
			break
		}
	}
	if s.Reasoning() > budget || closes < 0 && budget < 40 {
		t.Errorf("%s: %d tokens of reasoning, the block closes at %d: %v", at, s.Reasoning(), closes, text)
	}
	for i := closes + 1; i < len(text) && closes >= 0; i++ {
		if text[i] == text[i-1] {
			t.Errorf("%s: the constraint does not hold at %d, the block closes at %d: %v", at, i, closes, text)
		}
	}
	return closes
}

// drafted reports whether token i was a draft and another followed it in its round.
func drafted(rounds []spec.Round, i int) bool {
	for _, r := range rounds {
		if i < r.Emitted() {
			return i < r.Accepted
		}
		i -= r.Emitted()
	}
	return false
}
