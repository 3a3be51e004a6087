package spec_test

import (
	"slices"
	"testing"

	"foretoken/draft"
	"foretoken/model"
	"foretoken/model/modeltest"
	"foretoken/sampler"
	"foretoken/spec"
)

// A draft model with fewer words than its target keeps quiet while the text has a word that
// it lacks, with every drafter that there is the text is plain decoding's, and it drafts as
// long as it can.
func TestDraftWithFewerWords(t *testing.T) {
	small := modeltest.Hash{Vocab: 14, Real: 13, Salt: 2} // row 13 is padding
	drafted, quiet := 0, 0
	for start := range model.Token(16) {
		r := request(0, 30)
		r.Prompt = []model.Token{start, 3, 5}
		plain, err := spec.Generate(t.Context(), setup("none"), r)
		check(t, err)
		for _, name := range draft.Names() {
			s := setup(name)
			if name == "model" {
				s.Drafter = drafts(small)
			}
			r.K = 4
			got, err := spec.Generate(t.Context(), s, r)
			check(t, err)
			if !slices.Equal(got.Tokens, plain.Tokens) {
				t.Errorf("%s from %d: %v, want %v", name, start, got.Tokens, plain.Tokens)
			}
			if name != "model" {
				continue
			}
			history := slices.Clone(r.Prompt)
			at := 0
			for _, round := range got.Rounds {
				lacks := slices.ContainsFunc(history, func(x model.Token) bool { return x >= 13 })
				if lacks && round.Drafted > 0 || !lacks && round.Drafted == 0 && at < 28 {
					t.Errorf("from %d: %d drafted after %v", start, round.Drafted, history)
				}
				drafted += round.Drafted
				if lacks {
					quiet++
				}
				history = append(history, got.Tokens[at:at+round.Emitted()]...)
				at += round.Emitted()
			}
		}
	}
	if drafted == 0 || quiet == 0 {
		t.Errorf("%d drafted, quiet in %d rounds, want both", drafted, quiet)
	}
}

// The law of the target holds on such a pair.
func TestLawWithFewerWords(t *testing.T) {
	few := modeltest.Markov{Rows: [][]float32{{.5, 1, 1}, {1, .5, 1}, {1, 0, 0}}}
	r := drafters(markov, few)["model"]
	for _, settings := range []string{"temperature", "everything"} {
		r.cfg = laws[settings]
		if p, df := lawTail(t, r, "free"); p < green {
			t.Errorf("%s: p = %.1e with %d degrees of freedom", settings, p, df)
		}
	}
	r.cfg = sampler.NewConfig(1)
	if _, rounds := r.run(t, 3, 40); !slices.ContainsFunc(rounds, func(x spec.Round) bool { return x.Drafted > 0 }) {
		t.Error("nothing is drafted")
	}
}
