package parity

import (
	"math"
	"testing"

	"foretoken/model"
)

// The definition itself, on numbers.
func TestJudge(t *testing.T) {
	want := []model.Token{5, 6, 7}
	for _, c := range []struct {
		name    string
		got     []model.Token
		diffs   []float64
		margins []float64
		verdict Verdict
		first   int
		rank    int
	}{
		{"equal", want, []float64{1e-3, 0, 0}, []float64{1, 1, 1}, Equal, -1, 0},
		{"equal, but logits off", want, []float64{0, 0, 3e-3}, []float64{1, 1, 1}, Defect, -1, 0},
		{"not a number", want, []float64{0, math.NaN(), 0}, []float64{1, 1, 1}, Defect, -1, 0},
		{"near-tie", []model.Token{5, 9, 9}, []float64{0, 1e-4, 1e-3}, []float64{1e-5, 2e-4, 1}, NearTie, 1, 2},
		{"clear margin", []model.Token{5, 9, 9}, []float64{0, 1e-4, 1e-3}, []float64{1, 3e-4, 1}, Defect, 1, 1},
		{"near-tie, but another row is off", []model.Token{5, 9, 9}, []float64{0, 1e-4, 1}, []float64{1, 1e-4, 1}, Defect, 1, 1},
		{"short", want[:2], []float64{0, 0, 0}, []float64{1, 1, 1}, Defect, 2, 0},
	} {
		o := judge(want, c.got, c.diffs, c.margins)
		if o.verdict(2e-3) != c.verdict || o.First != c.first || o.Rank != c.rank {
			t.Errorf("%s: %+v", c.name, o)
		}
	}
	if m := margin([]float32{3, 1, 3, 2}); m != 0 {
		t.Errorf("the margin of a tie is %v", m)
	}
	if m := margin([]float32{1, 4, 3}); m != 1 {
		t.Errorf("the margin is %v, want 1", m)
	}
	inf := float32(math.Inf(-1))
	if d := difference([]float32{1, inf}, []float32{1.5, inf}); d != .5 {
		t.Errorf("the difference is %v, want .5", d)
	}
}
