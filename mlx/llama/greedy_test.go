//go:build mlx

package llama_test

import (
	"fmt"
	"slices"
	"testing"

	"foretoken/draft"
	"foretoken/mlx/llama"
	"foretoken/model"
	"foretoken/model/checkpoint"
	"foretoken/sampler"
	"foretoken/sampler/samplertest"
	"foretoken/spec"
	"foretoken/verify"
)

// A greedy round reads four bytes a row, drafted or not, and a constrained one four
// bytes a row that it looks at.
func TestGreedyReadsFourBytesARow(t *testing.T) {
	m := loadedOn(t, overlapping(t), write(t, families["llama"], checkpoint.BF16))
	for f, k := range map[draft.Factory]int{nil: 0, &draft.Ngram{}: 4, &draft.LayerSkip{Layers: 1}: 3} {
		name := fmt.Sprintf("%T", f)
		for _, engine := range []sampler.ConstraintEngine{nil, samplertest.NoRepeat{Last: 3}} {
			s := spec.Setup{Target: m, Drafter: f}
			r, err := spec.Generate(t.Context(), s, spec.Request{Prompt: ids(2, 9, 64), K: k, MaxTokens: 60, Sampler: sampler.NewConfig(0), Seed: 1, Engine: engine})
			if err != nil {
				t.Fatal(err)
			}
			drafted := 0
			for i, round := range r.Rounds {
				rows := round.Drafted + 1
				if engine != nil {
					rows = round.Accepted + 1
				}
				if want := int64(4 * rows); round.Read != want {
					t.Errorf("%s: round %d read %d bytes back, want %d", name, i, round.Read, want)
				}
				drafted += round.Drafted
			}
			if drafted == 0 && k > 0 {
				t.Errorf("%s drafted nothing", name)
			}
		}
	}
}

// Above temperature 0, a device that chooses gives the host's tokens, and reads less.
func TestChoosingGivesTheSameTokens(t *testing.T) {
	ck := write(t, families["llama"], checkpoint.F32)
	c := sampler.NewConfig(.8)
	c.TopP, c.TopK = .9, 5
	var read [2]int64
	var text [2][]model.Token
	for i, choose := range []bool{false, true} {
		m, err := llama.New(engine(t), ck, llama.Options{Choose: choose})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { m.Close() })
		s := spec.Setup{Target: m, Drafter: &draft.LayerSkip{Layers: 1}, Policy: verify.Stochastic}
		r, err := spec.Generate(t.Context(), s, spec.Request{Prompt: ids(2, 9, 64), K: 3, MaxTokens: 80, Sampler: c, Seed: 3})
		if err != nil {
			t.Fatal(err)
		}
		for _, round := range r.Rounds {
			read[i] += round.Read
		}
		text[i] = r.Tokens
	}
	if len(text[0]) != 80 || !slices.Equal(text[0], text[1]) {
		t.Errorf("the host's tokens are %v, the device's %v", text[0], text[1])
	}
	if read[1] >= read[0] {
		t.Errorf("%d bytes were read, %d without", read[1], read[0])
	}
}
