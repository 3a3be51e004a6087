package spec_test

import (
	"fmt"
	"reflect"
	"slices"
	"testing"

	"foretoken/model"
	"foretoken/model/modeltest"
	"foretoken/sampler"
	"foretoken/spec"
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
	d := r.start(t)
	for i := range 12 {
		k := (i + int(r.seed)) % 6
		round, err := d.Round(t.Context(), k, 1000)
		check(t, err)
		if round.Accepted != k || round.Judged != k || round.Next != 1 {
			return fmt.Errorf("seed %d, round %d, k=%d: %+v", r.seed, i, k, round)
		}
	}
	return nil
}

// The faults that only self-draft acceptance sees are seen by it.
func TestSelfDraftSeesFaults(t *testing.T) {
	for name, fault := range map[string]func(rig, *spec.Decoder){
		"the drafter's window counts the prompt":  func(_ rig, d *spec.Decoder) { d.Drafter = promptCounts{d.Drafter} },
		"a point is reported for a sampled token": func(_ rig, d *spec.Decoder) { d.Drafter = pointed{d.Drafter} },
		"verify rows are off by one":              func(_ rig, d *spec.Decoder) { d.Verifier = offByOne{d.Verifier} },
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
			gotA, gotB := together(t, ra.start(t), rb.start(t))
			if !slices.Equal(gotA, wantA) || !slices.Equal(gotB, wantB) {
				t.Errorf("%s with %s differs from alone", a, b)
			}
		}
	}
}

func alone(t *testing.T, r rig) []model.Token {
	d := r.start(t)
	for range 12 {
		_, err := d.Round(t.Context(), 3, 1000)
		check(t, err)
	}
	return d.Tokens
}

func together(t *testing.T, a, b *spec.Decoder) ([]model.Token, []model.Token) {
	settle := func(d *spec.Decoder, l model.Logits) {
		_, err := d.Settle(l)
		check(t, err)
	}
	for i := range 12 {
		ba, err := a.Begin(t.Context(), 3, 1000)
		check(t, err)
		bb, err := b.Begin(t.Context(), 3, 1000)
		check(t, err)
		lb, err := bb.Forward(b.Target)
		check(t, err)
		la, err := ba.Forward(a.Target)
		check(t, err)
		if i%2 == 0 {
			settle(a, la)
			settle(b, lb)
		} else {
			settle(b, lb)
			settle(a, la)
		}
	}
	return a.Tokens, b.Tokens
}

// The facts of a round by hand, a refusal in the middle of a draft.
func TestJudged(t *testing.T) {
	r := drafters(markov, guess)["model"]
	r.cfg, r.prompt = config(0, false), []model.Token{0}
	r.drafts = modeltest.Markov{Rows: [][]float32{{0, 0, 1, 0}, {0, 0, 0, 1}, {0, 1, 0, 0}, {1, 0, 0, 0}}}
	// The target says 2, 1, 0, 2; the draft 2, 1, 3, 0.
	d := r.start(t)
	got, err := d.Round(t.Context(), 4, 10)
	check(t, err)
	got.Draft, got.Verify, got.Accept, got.Rest = 0, 0, 0, 0
	want := spec.Round{Drafted: 4, Judged: 3, Accepted: 2, Next: 1, Kind: 1}
	if !reflect.DeepEqual(got, want) || !slices.Equal(d.Tokens, []model.Token{0, 2, 1, 0}) {
		t.Errorf("got %+v %v, want %+v", got, d.Tokens, want)
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
