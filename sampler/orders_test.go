package sampler

import (
	"cmp"
	"encoding/json"
	"math"
	"os"
	"slices"
	"testing"

	"foretoken/model"
)

// A foreignRow is a row of logits and what another program leaves of it.
type foreignRow struct {
	Order       Order         `json:"order"`
	Row         model.Row     `json:"row"`
	Temperature float32       `json:"temperature"`
	TopK        int           `json:"top_k"`
	TopP        float32       `json:"top_p"`
	MinP        float32       `json:"min_p"`
	IDs         []model.Token `json:"ids"`
	Probs       []float64     `json:"probs"`
}

// The orders named after other programs leave what those programs leave, tokens and
// probabilities. A difference has to be a threshold that float32 cannot tell, or the choice
// among equal logits at a cut. FORETOKEN_ORDERS names a larger file of `make orders`.
func TestForeignOrders(t *testing.T) {
	file := cmp.Or(os.Getenv("FORETOKEN_ORDERS"), "testdata/orders.json")
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var rows []foreignRow
	if err := json.Unmarshal(data, &rows); err != nil {
		t.Fatal(err)
	}
	count, same := map[Order]int{}, map[Order]int{}
	for i, r := range rows {
		count[r.Order]++
		c := NewConfig(r.Temperature)
		c.Order, c.TopK, c.TopP, c.MinP = r.Order, r.TopK, r.TopP, r.MinP
		got := build(t, c, r.Row...)
		if slices.Equal(support(got), r.IDs) {
			same[r.Order]++
		} else if why := r.explain(support(got)); why != "" {
			t.Errorf("row %d, %s: %v, the other program leaves %v: %s: %+v", i, r.Order, support(got), r.IDs, why, r)
			continue
		}
		if err := r.near(got); err > 1e-5 {
			t.Errorf("row %d, %s: probabilities differ by %.2g of themselves: %+v", i, r.Order, err, r)
		}
	}
	for _, o := range []Order{Transformers, LlamaCPP} {
		if count[o] < 300 {
			t.Errorf("%d rows of %s, want 300 and more", count[o], o)
		}
		t.Logf("%s: %d of %d supports are the same, the others differ at a cut", o, same[o], count[o])
	}
}

// near is the largest relative difference of the probabilities of tokens that both keep, each
// side divided by what it has of them.
func (r foreignRow) near(got Distribution) float64 {
	ours, theirs := 0.0, 0.0
	for i, t := range r.IDs {
		if p := got.Prob(t); p > 0 {
			ours, theirs = ours+p, theirs+r.Probs[i]
		}
	}
	most := 0.0
	for i, t := range r.IDs {
		if p := got.Prob(t); p > 0 {
			most = max(most, math.Abs(p/ours-r.Probs[i]/theirs)/(p/ours))
		}
	}
	return most
}

// explain says why two supports may not differ as they do, "" where they may: the tokens of
// one alone have equal logits, so that only the choice among equals differs, or stand at a
// threshold.
func (r foreignRow) explain(got []model.Token) string {
	var apart []model.Token
	for _, t := range got {
		if !slices.Contains(r.IDs, t) {
			apart = append(apart, t)
		}
	}
	for _, t := range r.IDs {
		if !slices.Contains(got, t) {
			apart = append(apart, t)
		}
	}
	equal := len(got) == len(r.IDs)
	for _, t := range apart {
		equal = equal && r.Row[t] == r.Row[apart[0]]
	}
	if equal {
		return ""
	}
	for _, t := range apart {
		if !r.atThreshold(t) {
			return "no tie, and no threshold"
		}
	}
	return ""
}

// atThreshold reports whether float32 may put t on either side of top-p or min-p.
func (r foreignRow) atThreshold(t model.Token) bool {
	temperature := float64(r.Temperature)
	if r.Order == LlamaCPP {
		temperature = 1
	}
	ids := make([]int, len(r.Row))
	for i := range ids {
		ids[i] = i
	}
	slices.SortStableFunc(ids, func(a, b int) int { return cmp.Compare(r.Row[b], r.Row[a]) })
	n := len(ids)
	if r.TopK > 0 && r.TopK < n {
		for n = r.TopK; r.Order == Transformers && n < len(ids) && r.Row[ids[n]] == r.Row[ids[r.TopK-1]]; n++ {
		}
	}
	sum := 0.0
	weight := func(i int) float64 { return math.Exp(float64(r.Row[i]-r.Row[ids[0]]) / temperature) }
	for _, i := range ids[:n] {
		sum += weight(i)
	}
	before := 0.0
	for _, i := range ids[:n] {
		if r.Row[i] == r.Row[t] && math.Abs(before/sum-float64(r.TopP)) < 1e-6 {
			return true
		}
		before += weight(i)
	}
	return math.Abs(weight(int(t))-float64(r.MinP)) < 1e-6*float64(r.MinP)
}
