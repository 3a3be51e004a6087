package sampler

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"foretoken/model"
)

// A lender is logits that lie in memory; reading a copy is an error.
type lender struct{ logits }

func (l lender) View(int) ([]float32, error) { return l.logits, nil }
func (l lender) Read(int, []float32) error   { return fmt.Errorf("a lent row was copied") }

// A lent row gives what a copied one gives, and is as it was afterwards, also
// where there is no distribution.
func TestLentRow(t *testing.T) {
	r := rand.New(rand.NewPCG(12, 1))
	for i := range 1500 {
		n := 3 + r.IntN(300)
		row, c := makeRow(r, i%len(rowKinds), n+2), makeConfig(r, n)
		c.LogitBias = map[model.Token]float32{0: 2, 1: -inf, 2: -1}
		if i%7 == 0 {
			row[r.IntN(n)] = inf
		}
		at := Position{History: []model.Token{2, 0, 2, 1}, Generated: 3}
		a, _ := NewBuilder(c, n+2, n)
		b, _ := NewBuilder(c, n+2, n)
		before := slices.Clone(row)
		want, wantErr := a.SamplingDistribution(logits(row), 0, at)
		got, err := b.SamplingDistribution(lender{row}, 0, at)
		if fmt.Sprint(err) != fmt.Sprint(wantErr) || fmt.Sprint(support(got)) != fmt.Sprint(support(want)) {
			t.Fatalf("%+v: %v %v, want %v %v", c, support(got), err, support(want), wantErr)
		}
		for x, p := range want.All() {
			if got.Prob(x) != p {
				t.Fatalf("token %d has %v, want %v", x, got.Prob(x), p)
			}
		}
		wantBest, _ := a.Best(logits(row), 0, at, 4)
		if best, _ := b.Best(lender{row}, 0, at, 4); !slices.Equal(best, wantBest) {
			t.Fatalf("best %v, want %v", best, wantBest)
		}
		if !slices.Equal(row, before) {
			t.Fatalf("%+v: the row is changed", c)
		}
	}
	masked, _ := NewBuilder(NewConfig(1), 3, 3)
	if _, err := masked.SamplingDistribution(lender{logits{0, 0, 0}}, 0, Position{Engine: only(1)}); err == nil {
		t.Error("a masked row is written to")
	}
}
