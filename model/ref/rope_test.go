package ref

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"foretoken/model/checkpoint"
	"foretoken/model/modeltest"
)

// changing are models whose rope changes with the length of the text, within what the
// conformance kit forwards.
var changing = map[string]checkpoint.Config{
	"dynamic": tiny(func(c *checkpoint.Config) {
		c.RopeScaling = &checkpoint.RopeScaling{Type: "dynamic", Factor: 4, OriginalContext: 20}
	}),
	"longrope": tiny(func(c *checkpoint.Config) {
		c.RopeScaling = &checkpoint.RopeScaling{Type: "longrope", Factor: 8, OriginalContext: 20, Attention: 1.2,
			Factors: []float64{1, 1.1, 1.2, 1.5}, LongFactors: []float64{1, 2, 4, 7}}
	}),
}

// A model whose rope changes keeps the promises of one whose rope does not, over the
// length where it changes too.
func TestChangingRopeConforms(t *testing.T) {
	for name, c := range changing {
		m, err := build(random(c, 11), shipped())
		if err != nil {
			t.Fatal(err)
		}
		if err := modeltest.Conform(m, 3); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// A row is what one forward of its tokens makes, all turned by the angles of that length:
// the rows of a model whose rope has these angles at every length.
func TestChangingRope(t *testing.T) {
	tokens := ids(rand.New(rand.NewPCG(3, 3)), 30, 600)
	for name, c := range changing {
		m, err := build(random(c, 11), shipped())
		if err != nil {
			t.Fatal(err)
		}
		got := rows(t, m.session(), tokens, 15)
		for i := range got {
			n := len(tokens) - 15 + i + 1
			fixed := *m
			fixed.config.RopeScaling, fixed.turns = nil, turnsOf(c, n)
			fixed.turns.length = 1
			if want := rows(t, fixed.session(), tokens[:n], 1); !slices.Equal(got[i], want[0]) {
				t.Errorf("%s: the row after %d tokens is not that of their length", name, n)
			}
		}
	}
}

// States of such a model would change as the text grows: they are refused.
func TestChangingRopeHasNoTaps(t *testing.T) {
	m, err := build(random(changing["dynamic"], 11), shipped())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := m.NewTappedSession([]int{1}); err == nil || !strings.Contains(err.Error(), "dynamic rope") {
		t.Errorf("%v, want the rope named", err)
	}
}
