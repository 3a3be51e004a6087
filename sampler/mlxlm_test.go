package sampler

import (
	"encoding/json"
	"math"
	"os"
	"slices"
	"testing"

	"foretoken/model"
)

// The mlx-lm order against mlx-lm (scripts/golden_sampler.py writes the file):
// processors, filters with their ties, and the temperature of the draw.
func TestAgainstMLXLM(t *testing.T) {
	text, err := os.ReadFile("testdata/mlxlm.json")
	if err != nil {
		t.Fatal(err)
	}
	var golden struct {
		Cases []struct {
			Name   string
			Row    []float32
			Tokens []model.Token
			Config Config
			IDs    []model.Token
			Probs  []float64
		}
	}
	if err := json.Unmarshal(text, &golden); err != nil {
		t.Fatal(err)
	}
	if len(golden.Cases) < 80 {
		t.Fatalf("%d cases, want the whole file", len(golden.Cases))
	}
	for i, c := range golden.Cases {
		b, err := NewBuilder(c.Config, len(c.Row), len(c.Row))
		if err != nil {
			t.Fatal(err)
		}
		at := Position{History: c.Tokens, Generated: 2} // the window counts the prompt too
		d, err := b.SamplingDistribution(logits(c.Row), 0, at)
		if err != nil {
			t.Fatal(err)
		}
		if got := support(d); !slices.Equal(got, c.IDs) {
			t.Errorf("case %d, %s %+v: support %v, want %v", i, c.Name, c.Config, got, c.IDs)
			continue
		}
		for j, x := range c.IDs {
			if got := d.Prob(x); math.Abs(got-c.Probs[j]) > 2e-6*c.Probs[j]+1e-9 {
				t.Errorf("case %d, %s %+v: token %d has %v, want %v", i, c.Name, c.Config, x, got, c.Probs[j])
			}
		}
	}
}
