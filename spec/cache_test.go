package spec_test

import (
	"fmt"
	"reflect"
	"slices"
	"testing"

	"foretoken/draft"
	"foretoken/model"
	"foretoken/model/modeltest"
	"foretoken/sampler"
	"foretoken/spec"
	"foretoken/verify"
)

// selfDraft is a target that drafts for itself.
func selfDraft() rig { return drafters(hash, hash)["model"] }

// A model that drafts for itself is never refused, with penalties, a repeating
// prompt and a grammar too. A stale draft cache and a wrong window change no
// output, only this.
func TestSelfDraftIsNeverRefused(t *testing.T) {
	perfect := drafters(hash, nil)["eagle"]
	perfect.head = modeltest.Head{Of: hash} // foretells the target exactly
	for engine, e := range engines {
		for settings, cfg := range laws {
			neverRefused(t, "model/"+engine+"/"+settings, selfDraft(), e, cfg)
			neverRefused(t, "eagle/"+engine+"/"+settings, perfect, e, cfg)
		}
	}
}

func neverRefused(t *testing.T, name string, r rig, e sampler.ConstraintEngine, cfg sampler.Config) {
	t.Run(name, func(t *testing.T) {
		r.engine, r.cfg = e, cfg
		r.cfg.Penalties.Window = 20 // wide: only while it fills does it matter where it starts
		for r.seed = range 40 {
			if err := refused(t, r); err != nil {
				t.Fatal(err)
			}
		}
	})
}

// refused reports the first round in which a drafted token did not stand.
func refused(t *testing.T, r rig) error {
	r.lengths = lengthFunc(func(_ int, past []spec.Round) int { return (len(past) + int(r.seed)) % 6 })
	g := r.open(t, 5, 1000)
	for i := range 12 {
		k := (i + int(r.seed)) % 6
		round := step(t, g)
		if round.Accepted != k || round.Judged != k || round.Next != 1 {
			return fmt.Errorf("seed %d, round %d, k=%d: %+v", r.seed, i, k, round)
		}
	}
	return nil
}

// The faults that only self-draft acceptance sees are seen by it.
func TestSelfDraftSeesFaults(t *testing.T) {
	for name, fault := range map[string]func(rig, *spec.Setup, *spec.Request){
		"the drafter's window counts the prompt":  wrapDrafter(func(d draft.Drafter) draft.Drafter { return promptCounts{d} }),
		"a point is reported for a sampled token": wrapDrafter(func(d draft.Drafter) draft.Drafter { return pointed{d} }),
		"verify rows are off by one":              wrapRule(func(r verify.Rule) verify.Rule { return offByOne{r} }),
	} {
		r := selfDraft()
		r.cfg, r.fault = config(1, true), fault
		r.cfg.Penalties.Window = 20
		seen := false
		for r.seed = range 40 {
			seen = seen || refused(t, r) != nil
		}
		if !seen {
			t.Errorf("%s: nothing refused", name)
		}
	}
}

// Another model is refused now and then: the first test can fail.
func TestCousinIsRefused(t *testing.T) {
	for name, r := range drafters(hash, cousin) {
		r.cfg = config(1, true)
		_, rounds := r.run(t, 4, 200)
		refused := 0
		for _, round := range rounds {
			refused += round.Judged - round.Accepted
		}
		if refused == 0 && name != "none" {
			t.Errorf("%s: nothing refused", name)
		}
	}
}

// A streak of full acceptance leaves no hole in the draft's cache.
func TestFullAcceptanceStreak(t *testing.T) {
	r := selfDraft()
	r.cfg = config(0, false)
	got, rounds := r.run(t, 4, 5*25)
	if len(rounds) != 25 {
		t.Errorf("%d rounds for %d tokens, want 25", len(rounds), len(got))
	}
}

// Requests whose Begins, forwards and Settles interleave are what they are alone.
func TestInterleaved(t *testing.T) {
	rigs := drafters(hash, cousin)
	for a, ra := range rigs {
		for b, rb := range rigs {
			ra.cfg, rb.cfg = config(1, true), config(.7, false)
			ra.engine, rb.engine, rb.seed = engines["grammar"], engines["think"], 2
			wantA, wantB := alone(t, ra), alone(t, rb)
			gotA, gotB := together(t, ra.open(t, 3, 1000), rb.open(t, 3, 1000))
			if !slices.Equal(gotA, wantA) || !slices.Equal(gotB, wantB) {
				t.Errorf("%s with %s differs from alone", a, b)
			}
		}
	}
}

func alone(t *testing.T, r rig) []model.Token {
	g := r.open(t, 3, 1000)
	for range 12 {
		step(t, g)
	}
	return g.Tokens()
}

func together(t *testing.T, a, b *spec.Generation) ([]model.Token, []model.Token) {
	settle := func(s *spec.Step, l model.Logits) {
		_, err := s.Settle(l)
		check(t, err)
	}
	for i := range 12 {
		sa, err := a.Begin(t.Context())
		check(t, err)
		sb, err := b.Begin(t.Context())
		check(t, err)
		lb, err := sb.Forward()
		check(t, err)
		la, err := sa.Forward()
		check(t, err)
		if i%2 == 0 {
			settle(sa, la)
			settle(sb, lb)
		} else {
			settle(sb, lb)
			settle(sa, la)
		}
	}
	return a.Tokens(), b.Tokens()
}

// The facts of a round by hand, a refusal in the middle of a draft.
func TestJudged(t *testing.T) {
	r := drafters(markov, guess)["model"]
	r.cfg, r.prompt = config(0, false), []model.Token{0}
	r.drafts = modeltest.Markov{Rows: [][]float32{{0, 0, 1, 0}, {0, 0, 0, 1}, {0, 1, 0, 0}, {1, 0, 0, 0}}}
	// The target says 2, 1, 0, 2; the draft 2, 1, 3, 0.
	g := r.open(t, 4, 10)
	got := step(t, g)
	got.Draft, got.Verify, got.Accept, got.Rest = 0, 0, 0, 0
	want := spec.Round{Drafted: 4, Judged: 3, Accepted: 2, Next: 1, Kind: 1}
	if !reflect.DeepEqual(got, want) || !slices.Equal(g.Tokens(), []model.Token{2, 1, 0}) {
		t.Errorf("got %+v %v, want %+v", got, g.Tokens(), want)
	}
}

// p(a)=.3, p(b)=.5, q(a)=.2: temperature 0 is the argmax whatever q says.
func TestGreedyIsArgmaxWhateverQ(t *testing.T) {
	row := []float32{-1.2, -.69, -1.6, -9} // p = .3, .5, .2, 0
	sure := []float32{9, 0, 0, 0}
	r := rig{target: modeltest.Markov{Rows: [][]float32{row, row, row, row}},
		drafts:  modeltest.Markov{Rows: [][]float32{sure, sure, sure, sure}},
		drafter: "model", rule: "leviathan", prompt: repeats, cfg: config(0, false)}
	if got, _ := r.run(t, 3, 6); !slices.Equal(got, []model.Token{1, 1, 1, 1, 1, 1}) {
		t.Errorf("%v, want the argmax, 1", got)
	}
}
