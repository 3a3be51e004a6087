package spec_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"foretoken/draft"
	"foretoken/model"
	"foretoken/model/modeltest"
	"foretoken/sampler"
	"foretoken/spec"
	"foretoken/verify"
)

func setup(drafter string) spec.Setup {
	var f draft.Factory = draft.None{}
	switch drafter {
	case "eagle":
		f = &draft.Eagle{Head: draft.HeadRef{Head: modeltest.Head{Of: hash, Noise: .5}}}
	case "layerskip":
		f = &draft.LayerSkip{Layers: 2}
	case "model":
		f = drafts(cousin)
	case "ngram":
		f = &draft.Ngram{}
	}
	return spec.Setup{Target: hash, Drafter: f, Policy: verify.Stochastic}
}

func drafts(m model.Model) draft.Factory { return &draft.Model{Draft: draft.ModelRef{Model: m}} }

func request(k, n int) spec.Request {
	return spec.Request{Prompt: repeats, K: k, MaxTokens: n, Sampler: sampler.NewConfig(0), Seed: sampler.DefaultSeed}
}

// eachDrafter calls f for every drafter and draft lengths 0 to 8.
func eachDrafter(t *testing.T, f func(t *testing.T, s spec.Setup, k int)) {
	for _, name := range draft.Names() {
		for k := range 9 {
			t.Run(fmt.Sprintf("%s/k=%d", name, k), func(t *testing.T) { f(t, setup(name), k) })
		}
	}
}

// Delivered tokens are the budget's, in the stream, the result and the rounds.
func TestBudget(t *testing.T) {
	eachDrafter(t, func(t *testing.T, s spec.Setup, k int) {
		for n := 1; n <= 20; n++ {
			var streamed []model.Token
			r := request(k, n)
			r.Emit = func(c spec.Emission) error { streamed = append(streamed, c.Tokens...); return nil }
			got, err := spec.Generate(t.Context(), s, r)
			check(t, err)
			if len(got.Tokens) != n || emitted(got.Rounds) != n || !slices.Equal(streamed, got.Tokens) || got.Finish != spec.FinishLength {
				t.Fatalf("%d tokens of %d, %d in rounds, %d streamed, %s", len(got.Tokens), n, emitted(got.Rounds), len(streamed), got.Finish)
			}
		}
	})
}

func emitted(rounds []spec.Round) int {
	n := 0
	for _, r := range rounds {
		n += r.Emitted()
	}
	return n
}

// An end of sequence ends the text wherever in a block it stands; what follows
// is neither emitted nor counted.
func TestEOSCuts(t *testing.T) {
	plain, err := spec.Generate(t.Context(), setup("none"), request(0, 40))
	check(t, err)
	eachDrafter(t, func(t *testing.T, s spec.Setup, k int) {
		for _, eos := range plain.Tokens[:8] {
			want := plain.Tokens[:slices.Index(plain.Tokens, eos)+1]
			r := request(k, 40)
			r.EOS = []model.Token{eos, 17}
			got, err := spec.Generate(t.Context(), s, r)
			check(t, err)
			if !slices.Equal(got.Tokens, want) || emitted(got.Rounds) != len(want) || got.Finish != spec.FinishEOS {
				t.Fatalf("eos %d: %v, %d in rounds, %s; want %v", eos, got.Tokens, emitted(got.Rounds), got.Finish, want)
			}
		}
	})
}

// A draft that proposes the end where the target does not goes on.
func TestDraftedEOSIsNoEnd(t *testing.T) {
	s := setup("model")
	always := []float32{9, 0, 0, 0}
	s.Target, s.Drafter = markov, drafts(modeltest.Markov{Rows: [][]float32{always, always, always, always}})
	r := request(4, 12)
	r.Prompt, r.EOS = []model.Token{3}, []model.Token{0} // the target stays at 3
	got, err := spec.Generate(t.Context(), s, r)
	check(t, err)
	if len(got.Tokens) != 12 || got.Rounds[0].Drafted != 4 || got.Rounds[0].Accepted != 0 {
		t.Errorf("%v %+v", got.Tokens, got.Rounds[0])
	}
}

// The context ends a request where its budget does not.
func TestContextEnds(t *testing.T) {
	s := setup("model")
	s.Target = modeltest.Hash{Vocab: 18, Real: 16, Layers: 3, Context: len(repeats) + 9}
	for k := range 9 {
		for _, n := range []int{-1, 100} {
			got, err := spec.Generate(t.Context(), s, request(k, n))
			check(t, err)
			if len(got.Tokens) != 9 || got.Finish != spec.FinishContext {
				t.Errorf("k=%d: %d tokens, %s; want 9", k, len(got.Tokens), got.Finish)
			}
		}
	}
}

// A prompt longer than the draft's context stops speculation, not the request.
func TestDraftContextEndsSpeculation(t *testing.T) {
	s := setup("model")
	s.Drafter = drafts(modeltest.Hash{Vocab: 16, Real: 16, Context: 4})
	want, err := spec.Generate(t.Context(), setup("none"), request(0, 20))
	check(t, err)
	got, err := spec.Generate(t.Context(), s, request(4, 20))
	check(t, err)
	if !slices.Equal(got.Tokens, want.Tokens) || got.Rounds[0].Drafted != 0 {
		t.Errorf("%v, want %v with nothing drafted", got.Tokens, want.Tokens)
	}
}

// A cancelled request returns what there is and says so.
func TestCancellation(t *testing.T) {
	for _, name := range draft.Names() {
		ctx, cancel := context.WithCancel(t.Context())
		r := request(3, 1000)
		r.Emit = func(c spec.Emission) error {
			cancel()
			return nil
		}
		got, err := spec.Generate(ctx, setup(name), r)
		if !errors.Is(err, context.Canceled) || got.Finish != spec.FinishCancelled || len(got.Tokens) == 0 || emitted(got.Rounds) != len(got.Tokens) {
			t.Errorf("%s: %d tokens, %q, %v", name, len(got.Tokens), got.Finish, err)
		}
	}
}

// The times of a request close with its wall time: its parts never exceed it, and
// where forwards take long they are most of it. A busy machine can only widen the
// gap, so the best of some tries counts.
func TestTimesClose(t *testing.T) {
	for _, name := range draft.Names() {
		best := 0.0
		for range 5 {
			s := setup(name)
			s.Target = slow{hash}
			got, err := spec.Generate(t.Context(), s, request(2, 8))
			check(t, err)
			f := got.Facts
			sum := f.Setup + f.PrefillTarget + f.PrefillDraft
			for _, r := range got.Rounds {
				sum += r.Time()
			}
			if sum > f.Wall || f.FirstToken <= 0 || f.FirstToken > f.Wall || f.GapP50 > f.GapP95 || f.PeakMemory <= 0 {
				t.Fatalf("%s: parts %v of %+v", name, sum, f)
			}
			best = max(best, sum.Seconds()/f.Wall.Seconds())
		}
		if best < .9 {
			t.Errorf("%s: the parts are at best %.2f of the wall time", name, best)
		}
	}
}

// slow is a model whose forwards take a millisecond.
type slow struct{ modeltest.Hash }

func (m slow) NewSession() (model.Session, error) {
	s, err := m.Hash.NewSession()
	return slowSession{s, s.(model.HiddenTap)}, err
}

type slowSession struct {
	model.Session
	model.HiddenTap
}

func (s slowSession) Forward(tokens []model.Token, rows int) (model.Logits, error) {
	time.Sleep(time.Millisecond)
	return s.Session.Forward(tokens, rows)
}
