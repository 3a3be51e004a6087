package sampler

import (
	"math"
	"math/bits"
	"slices"

	"foretoken/model"
)

// binCount is the number of parts a level of boundary makes of a range.
const binCount = 1024

// A bin is what a level knows of one part.
type bin struct {
	n      int
	weight float64
}

// boundary returns the last key that top-p and top-k leave of ids, ascending,
// whose weights are h's. It is a selection by weight: a histogram of the logits'
// bits finds the part in which the ranking is cut, and the next level looks at
// that part alone, a thousandth of the range. Four levels exhaust a float32.
func (h *host) boundary(ids []int32, z []float32, top float32, p *model.Plan, limit float64) key {
	head, left := 0.0, math.MaxInt // weight ranked before ids; how many more top-k takes
	if p.TopK > 0 {
		left = p.TopK
	}
	if len(ids) > bracketFrom {
		if within, ahead, more, ok := h.bracket(ids, z, head, limit, left); ok {
			ids, head, left = within, ahead, more
		}
	}
	for len(ids) > fewMax {
		first, last := extent(ids, z)
		if first == last {
			return h.tied(ids, z, p, head, limit, left)
		}
		shift := max(0, bits.Len32(last-first)-bits.Len(binCount-1))
		h.fill(ids, z, first, shift)
		b := 0
		for ; b < len(h.bins); b++ {
			x := h.bins[b]
			if x.n >= left || limit > 0 && x.n > 0 && head+x.weight >= limit {
				break
			}
			head, left = head+x.weight, left-x.n
		}
		if b == len(h.bins) {
			return keyOf(lowest, math.MaxInt32)
		}
		members, n := h.scratch(len(z)), 0 // ids themselves may be the caller's
		for _, i := range ids {
			if int((descending(z[i])-first)>>shift) == b {
				members[n] = i
				n++
			}
		}
		ids = members[:n]
	}
	h.keys = h.keys[:0]
	for _, i := range ids {
		h.keys = append(h.keys, keyOf(z[i], int(i)))
	}
	slices.Sort(h.keys)
	return lastOf(h.keys, prefix(h.keys[:min(left, len(h.keys))], top, p, head, limit))
}

// lastOf returns the key that admits the first n of ranked.
func lastOf(ranked []key, n int) key {
	if n == 0 {
		return ranked[0] - 1
	}
	return ranked[n-1]
}

// extent returns the first and the last of ids in the order of descending.
func extent(ids []int32, z []float32) (first, last uint32) {
	one := z[ids[0]]
	for len(ids) >= 4 && z[ids[0]] == one && z[ids[1]] == one && z[ids[2]] == one && z[ids[3]] == one {
		ids = ids[4:] // a flat row all along
	}
	first = descending(one)
	last = first
	for _, i := range ids {
		x := descending(z[i])
		first, last = min(first, x), max(last, x)
	}
	return first, last
}

// fill counts and weighs ids by parts of 1<<shift from first on.
func (h *host) fill(ids []int32, z []float32, first uint32, shift int) {
	clear(h.bins[:])
	for _, i := range ids {
		b := &h.bins[(descending(z[i])-first)>>shift]
		b.n++
		b.weight += float64(h.weights[i])
	}
}

// tied is boundary where all of ids have one logit.
func (h *host) tied(ids []int32, z []float32, p *model.Plan, head, limit float64, left int) key {
	n := min(left, len(ids))
	if limit > 0 && !p.KeepTies {
		n = min(n, int(math.Ceil((limit-head)/float64(h.weights[ids[0]]))))
	}
	last := ids[max(n, 1)-1]
	return keyOf(z[last], int(last))
}
