//go:build models

package spec_test

import (
	"encoding/json"
	"math"
	"os"
	"slices"
	"testing"

	"foretoken/draft"
	"foretoken/model"
	"foretoken/model/checkpoint"
	"foretoken/model/ref"
	"foretoken/sampler"
	"foretoken/spec"
)

// pythonRounds is what train/golden.py says of a prompt: SmolLM2's greedy text in float32, and the
// rounds that each drafter takes along it, by K.
type pythonRounds struct {
	ID, Domain     string
	Prompt, Tokens []model.Token
	Model, Eagle   map[int]int
}

// The drafters trained for SmolLM2 take as many rounds here as in the Python that
// trained them: the very same where all is float32 and the text is, nearly so where
// quantised weights meet rounded vectors.
func TestDraftersAsTrained(t *testing.T) {
	data, err := os.ReadFile("testdata/drafters.json")
	check(t, err)
	var prompts []pythonRounds
	check(t, json.Unmarshal(data, &prompts))
	for name, e := range map[string]struct {
		open  func(*checkpoint.Checkpoint) (model.Model, error)
		texts int     // of the texts at least so many are Python's
		loose float64 // how far the rounds may be from Python's, as a share of them
	}{
		"ref-f32": {ref.NewFloat32, len(prompts) - 1, .01},
		"ref":     {ref.New, 1, .05}, // rounded vectors lead to other words
	} {
		t.Run(name, func(t *testing.T) {
			ck := smolCheckpoint(t)
			defer ck.Close()
			target, err := e.open(ck)
			check(t, err)
			small, err := checkpoint.Open("../model/drafters/smollm2-two-model/model.gguf")
			check(t, err)
			defer small.Close()
			drafter, err := e.open(small)
			check(t, err)
			crown, err := checkpoint.OpenHead("../model/drafters/smollm2-eagle")
			check(t, err)
			defer crown.Close()
			head, err := ref.NewHead(crown, target)
			check(t, err)
			factories := map[string]draft.Factory{"model": drafts(drafter), "eagle": &draft.Eagle{Head: draft.HeadRef{Head: head}}}
			same, want, got := 0, 0, 0
			for _, p := range prompts {
				ask := spec.Request{Prompt: p.Prompt, MaxTokens: len(p.Tokens), Sampler: sampler.NewConfig(0), EOS: ck.Config.EOS}
				setup := spec.Setup{Target: target}
				plain, err := spec.Generate(t.Context(), setup, ask)
				check(t, err)
				if slices.Equal(plain.Tokens, p.Tokens) {
					same++
				}
				for name, rounds := range map[string]map[int]int{"model": p.Model, "eagle": p.Eagle} {
					setup.Drafter = factories[name]
					for ask.K = range rounds {
						r, err := spec.Generate(t.Context(), setup, ask)
						check(t, err)
						if !slices.Equal(r.Tokens, plain.Tokens) {
							t.Errorf("%s, %s, K = %d: %v, want %v", p.ID, name, ask.K, r.Tokens, plain.Tokens)
						}
						want, got = want+rounds[ask.K], got+len(r.Rounds)
					}
				}
			}
			t.Logf("%d of %d texts are Python's; %d rounds, Python's %d", same, len(prompts), got, want)
			if same < e.texts || math.Abs(float64(got-want)) > e.loose*float64(want) {
				t.Errorf("want %d texts and rounds within %g %%", e.texts, 100*e.loose)
			}
		})
	}
}
