package parity

import (
	"math"
	"testing"

	"foretoken/model"
	"foretoken/sampler"
)

// Where half of a row is one word and the rest are too little for a float32 near 1, sums
// in float32 end before 1 by what they lost, and no allowance is less than that.
func TestMisses(t *testing.T) {
	const words = 1 << 15
	row := make([]float32, words)
	row[0] = 20
	b, err := sampler.NewBuilder(sampler.NewConfig(1), words, words)
	if err != nil {
		t.Fatal(err)
	}
	d, err := b.SamplingDistribution(model.Row(row), 0, sampler.Position{})
	if err != nil {
		t.Fatal(err)
	}
	sum, exact := float32(0), 0.0
	for _, p := range d.All() {
		sum, exact = sum+float32(p), exact+p
	}
	lost := exact - float64(sum)
	if lost < 2e-5 {
		t.Fatalf("float32 lost %g: want more than that, for a test", lost)
	}
	last := model.Token(words - 1)
	if miss := misses(d, 1-lost-sums, last); miss > 0 {
		t.Errorf("what float32 loses counts as a miss of %g", miss)
	}
	if miss := misses(d, .5, last); miss < .4 {
		t.Errorf("half of the mass counts as a miss of %g", miss)
	}
	if !math.IsInf(misses(sampler.Point(3), .5, 4), 1) {
		t.Error("a word of no mass is no miss")
	}
}
