package ref

import (
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"foretoken/draft"
	"foretoken/model"
	"foretoken/model/checkpoint"
	"foretoken/sampler"
	"foretoken/spec"
	"foretoken/verify"
)

// crowded has few words, so that drafts are accepted and refused by chance alone.
var crowded = tiny(func(c *checkpoint.Config) { c.Hidden, c.Vocab = 32, 12 })

// A drafter that has drafted before proposes what a fresh one does, to the bit;
// one whose head keeps what was fed back does not.
func TestWarmHeadIsFresh(t *testing.T) {
	for _, keeps := range []bool{false, true} {
		p := newPair(t, crowded, shipped())
		head := model.Head(p.h)
		if keeps {
			head = keeping{p.h}
		}
		stream := sampler.NewStream(1, sampler.DraftStream)
		drafter := func(h model.Head, rng *sampler.PCG32) draft.Drafter {
			d, err := (&draft.Eagle{Head: draft.HeadRef{Head: h}}).New(draft.Env{Target: p.m, Session: p.target,
				Sampler: sampler.NewConfig(1), RNG: rng})
			if err != nil {
				t.Fatal(err)
			}
			return d
		}
		warm, same := drafter(head, stream), true
		r := rand.New(rand.NewPCG(1, 2))
		history := ids(r, 5, 12)
		for range 60 {
			n := min(p.target.Len(), len(history)-1)
			if err := p.target.Trim(n); err != nil {
				t.Fatal(err)
			}
			if _, err := p.target.Forward(history[n:len(history)-1], 0); err != nil {
				t.Fatal(err)
			}
			copied := *stream
			at, limit := sampler.Position{History: history}, 1+r.IntN(4)
			want, err := drafter(p.h, &copied).Propose(t.Context(), at, limit)
			if err != nil {
				t.Fatal(err)
			}
			got, err := warm.Propose(t.Context(), at, limit)
			if keeps && err != nil {
				same = false
				break
			} else if err != nil {
				t.Fatal(err)
			}
			same = same && reflect.DeepEqual(got, want)
			kept := r.IntN(len(got.Tokens) + 1)
			history = append(slices.Clone(history), append(got.Tokens[:kept:kept], model.Token(r.IntN(12)))...)
			if len(history) > 100 {
				history = history[:5]
				p.target.Trim(0)
			}
		}
		if same == keeps {
			t.Errorf("fed-back states kept %v, proposals those of a fresh drafter %v", keeps, same)
		}
	}
}

// keeping is a head whose sessions trim nothing.
type keeping struct{ *Head }

func (k keeping) NewSession() (model.HeadSession, error) {
	s, err := k.Head.NewSession()
	return kept{s}, err
}

type kept struct{ model.HeadSession }

func (kept) Trim(int) error { return nil }

// Speculation with a head gives the tokens of plain decoding: greedily, and with
// the match rule at temperature 1.
func TestHeadKeepsTheTokens(t *testing.T) {
	p := newPair(t, crowded, shipped())
	for _, temperature := range []float32{0, 1} {
		accepted := 0
		for seed := range uint64(6) {
			ask := spec.Request{Prompt: ids(rand.New(rand.NewPCG(seed, 9)), 4, 12), MaxTokens: 60, Sampler: sampler.NewConfig(temperature), Seed: seed}
			setup := spec.Setup{Target: p.m, Drafter: &draft.Eagle{Head: draft.HeadRef{Head: p.h}}, Rule: verify.Match{}, Policy: verify.Stochastic}
			plain, err := spec.Generate(t.Context(), setup, ask)
			if err != nil {
				t.Fatal(err)
			}
			for ask.K = 1; ask.K <= 4; ask.K++ {
				got, err := spec.Generate(t.Context(), setup, ask)
				if err != nil {
					t.Fatal(err)
				}
				if !slices.Equal(got.Tokens, plain.Tokens) {
					t.Errorf("temperature %v, seed %d, K = %d: %v, want %v", temperature, seed, ask.K, got.Tokens, plain.Tokens)
				}
				for _, r := range got.Rounds {
					accepted += r.Accepted
				}
			}
		}
		if accepted < 20 {
			t.Errorf("temperature %v: %d drafts accepted, too few to tell", temperature, accepted)
		}
	}
}
