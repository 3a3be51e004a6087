package sampler

import (
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"foretoken/model"
)

// Every order, filter, penalty and mask, on rows of every kind, against the
// definition.
func TestAgainstDefinition(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 1))
	sizes := []int{3, 7, 64, 200, 3000}
	for i := range 3000 {
		n := sizes[i%len(sizes)]
		if n == 3000 && i%25 != 24 {
			n = 200
		}
		kind := i % len(rowKinds)
		real, row, c := n, makeRow(r, kind, n+r.IntN(3)), makeConfig(r, n)
		at := Position{History: make([]model.Token, 3+r.IntN(30)), Generated: r.IntN(20)}
		at.Generated = min(at.Generated, len(at.History))
		for j := range at.History {
			at.History[j] = model.Token(r.IntN(min(n, 9)))
		}
		var allowed func(int) bool
		if r.IntN(3) == 0 {
			e := everyOther(r.Uint64())
			at.Engine, allowed = e, e.allows
		}
		check(t, fmt.Sprintf("%d: %s, %d ids, %+v", i, rowKinds[kind].name, n, c), c, row, real, at, allowed)
	}
}

func check(t *testing.T, name string, c Config, row []float32, real int, at Position, allowed func(int) bool) {
	t.Helper()
	b, err := NewBuilder(c, len(row), real)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	want := reference(c, row, real, at, allowed)
	d, err := b.SamplingDistribution(logits(row), 0, at)
	if math.IsNaN(slices.Max(want.probs)) || slices.Max(want.probs) == 0 || hopeless(c, row, real, at, allowed) {
		if err == nil {
			t.Fatalf("%s: no token is left and the distribution is %v", name, maps.Collect(d.All()))
		}
		return
	}
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	if err := same(d, want); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
}

// hopeless reports whether no logit is left.
func hopeless(c Config, row []float32, real int, at Position, allowed func(int) bool) bool {
	for i := range real {
		if (allowed == nil || allowed(i)) && !math.IsInf(float64(row[i]), -1) && !math.IsInf(float64(c.LogitBias[model.Token(i)]), -1) {
			return false
		}
	}
	return true
}

// Large vocabularies take the paths that select by histogram, keep dense weights, and
// read a sum only as far as it tells the cut.
func TestLargeAgainstDefinition(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 2))
	const n = 20000
	for kind := range rowKinds {
		for _, topP := range []float32{0, .05, .9, .999} {
			for _, topK := range []int{0, 40, 1500, n - 1} {
				c := NewConfig(pick[float32](r, .7, 1))
				c.TopP, c.TopK, c.MinP, c.Order = topP, topK, pick[float32](r, 0, 0, .001), pick(r, Orders()...)
				at, allowed := Position{}, func(int) bool { return true }
				if r.IntN(3) == 0 {
					c.Penalties = Penalties{pick[float32](r, 1.1, .8), .5, .25, 20}
					at.History, at.Generated = []model.Token{1, 2, 1, 7, n - 1}, 4
				}
				if r.IntN(3) == 0 {
					e := everyOther(r.Uint64())
					at.Engine, allowed = e, e.allows
				}
				name := fmt.Sprintf("%s, masked %v, %+v", rowKinds[kind].name, at.Engine != nil, c)
				check(t, name, c, makeRow(r, kind, n), n, at, allowed)
			}
		}
	}
}

// Ties in the mlx-lm order, on the same paths, counted.
func TestLargeTiesOfMLXLM(t *testing.T) {
	const n = 9000
	row := make([]float32, n)
	for i := range row {
		row[i] = float32(i % 3)
	}
	c := NewConfig(.5)
	c.Order, c.TopP = MLXLM, .7 // e^2/(1+e+e^2) is .665: the value 1 stays, all of it
	b, _ := NewBuilder(c, n, n)
	d, err := b.SamplingDistribution(logits(row), 0, Position{})
	if err != nil || d.Len() != 2*n/3 || d.Prob(0) != 0 || d.Prob(1) == 0 {
		t.Errorf("%d tokens are left, want %d (%v)", d.Len(), 2*n/3, err)
	}
	if ratio := d.Prob(2) / d.Prob(1); math.Abs(ratio-math.Exp(2)) > 1e-5 {
		t.Errorf("ratio %v, want e^2: the draw is at the temperature", ratio)
	}
	c.Order = TemperatureFirst
	c.Temperature = 1
	b, _ = NewBuilder(c, n, n)
	d, err = b.SamplingDistribution(logits(row), 0, Position{})
	if err != nil || d.Len() <= n/3 || d.Len() > n/2 {
		t.Errorf("%d tokens are left, want a part of the value 1 (%v)", d.Len(), err)
	}
}
