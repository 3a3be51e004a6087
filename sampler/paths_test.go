package sampler

import (
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"slices"
	"testing"

	"foretoken/model"
)

// Supports and draws are the same on every path, with vectors and without: but for cuts
// decided within 1e-6 of the sum, and numbers within 1e-6 of where the draw changes. The
// sum stands for all of them; each path is another build, so they meet in it.
func TestDrawsAreOneOnEveryPath(t *testing.T) {
	const want = 0x4ff02db3213a62b0
	r, h, supports, draws := rand.New(rand.NewPCG(12, 1)), fnv.New64a(), 0, 0
	for i := range 1200 {
		n := pick(r, 64, 700, 5000)
		row, c := makeRow(r, i%len(rowKinds), n), makeConfig(r, n)
		c.Penalties, c.LogitBias = NewConfig(0).Penalties, nil
		if slices.Max(row) == -inf || c.Greedy() || reference(c, row, n, Position{}, nil).margin < 1e-6 {
			continue
		}
		d, many := build(t, c, row...), 0
		for _, p := range d.All() {
			if p > 1e-20 { // of less one path may see none
				many++
			}
		}
		supports++
		fmt.Fprintln(h, i, many)
		for range 8 {
			u := r.Float32()
			x := d.Draw(u)
			if d.Draw(max(u-1e-6, 0)) == x && d.Draw(min(u+1e-6, 1-0x1p-24)) == x {
				draws++
				fmt.Fprintln(h, model.Token(x))
			}
		}
	}
	t.Logf("%d supports, %d draws", supports, draws)
	if got := h.Sum64(); got != want {
		t.Errorf("%d supports and %d draws come to %#x, want %#x", supports, draws, got, uint64(want))
	}
}
