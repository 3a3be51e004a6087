package sampler

import (
	"math"
	"slices"

	"foretoken/model"
)

// candidates returns the ids that min-p keeps and among which top-p cuts. It tries the
// heaviest first: they mostly have the weight that top-p keeps, and lighter ones need not
// be looked at. Of a flat row it returns all, some of which may have no weight.
func (h *host) candidates(p *model.Plan, total, limit float64) []int32 {
	if p.TopP == 0 {
		return h.heavier(p.MinP)
	}
	if p.MinP == 0 && mostlyHeavy(h.weights) {
		return h.everyID(len(h.weights))
	}
	least := max(p.MinP, negligible(p.TopP, total, len(h.weights)))
	for try := float32(heavy); try > least; try /= 64 {
		ids := h.heavier(try)
		// What is not among them is lighter than try each.
		if total-float64(try)*float64(len(h.weights)-len(ids)) >= limit || h.mass(ids) >= limit {
			return ids
		}
	}
	return h.heavier(least)
}

// negligible is a weight below which top-p drops everything: n such weights
// together are less than the part of total that it drops. The margin is for the
// rounding of float32 sums.
func negligible(topP float32, total float64, n int) float32 {
	return float32(.999 * (1 - float64(topP)) * total / float64(n))
}

// heavier returns the ids, ascending, of weights above 0 and at least least.
func (h *host) heavier(least float32) []int32 {
	n := len(h.weights)
	h.found = slices.Grow(h.found[:0], n+vectorRoom)
	under := float32(0)
	if least > 0 {
		under = math.Nextafter32(least, 0)
	}
	found, _ := above(h.found[:n+vectorRoom], h.weights, 0, under)
	return h.found[:found]
}

// mass adds the weights of ids in four chains, as one chain waits for every addition.
func (h *host) mass(ids []int32) float64 {
	var a, b, c, d float64
	for ; len(ids) >= 4; ids = ids[4:] {
		a += float64(h.weights[ids[0]])
		b += float64(h.weights[ids[1]])
		c += float64(h.weights[ids[2]])
		d += float64(h.weights[ids[3]])
	}
	for _, i := range ids {
		a += float64(h.weights[i])
	}
	return (a + b) + (c + d)
}
