package sampler

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// Until Recycle a distribution is untouched by those built after it, and draws what
// one that shares no memory does; after it, building allocates nothing.
func TestRecycle(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 1))
	var rows []logits
	for range 6 {
		rows = append(rows, makeRow(r, 0, 5000))
	}
	for _, topK := range []int{0, 4000} { // all ids, and most of them
		c := NewConfig(1)
		c.TopK = topK
		b, _ := NewBuilder(c, 5000, 5000)
		round := func(first int) []Distribution {
			b.Recycle()
			var ds []Distribution
			for i := range 3 {
				d, err := b.SamplingDistribution(rows[(first+i)%6], 0, Position{})
				if err != nil {
					t.Fatal(err)
				}
				ds = append(ds, d)
			}
			return ds
		}
		for first := range 12 {
			for i, d := range round(first) {
				want := build(t, c, rows[(first+i)%6]...)
				if d.total != want.total || !slices.Equal(d.dense, want.dense) {
					t.Fatalf("top-k %d, round %d: distribution %d is not that of its row", topK, first, i)
				}
				for range 20 {
					if u := r.Float32(); d.Draw(u) != want.Draw(u) {
						t.Fatalf("top-k %d, round %d: another draw at %v", topK, first, u)
					}
				}
			}
		}
		if topK == 0 {
			if n := testing.AllocsPerRun(10, func() {
				b.Recycle()
				for i := range 3 {
					if _, err := b.SamplingDistribution(&rows[i], 0, Position{}); err != nil {
						t.Fatal(err)
					}
				}
			}); n != 0 {
				t.Errorf("%v allocations a round", n)
			}
		}
	}
}
