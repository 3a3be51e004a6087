package sampler

import (
	"math"
	"math/bits"
	"slices"

	"foretoken/model"
)

// binCount is the number of parts a level of lastKept makes of a range.
const binCount = 1024

// A bin is what a level knows of one part.
type bin struct {
	n      int
	weight float64
}

// lastKept returns the last rank that top-p and top-k leave of ids, ascending,
// whose weights are h's. It is a selection by weight: a histogram of the logits'
// bits finds the part in which the ranking is cut, and the next level looks at
// that part alone, a thousandth of the range. Four levels exhaust a float32.
func (h *host) lastKept(ids []int32, z []float32, top float32, p *model.Plan, limit float64) rank {
	head, left := 0.0, math.MaxInt // weight ranked before ids; how many more top-k takes
	if p.TopK > 0 {
		left = p.TopK
	}
	if len(ids) == len(z) && len(z) > sampledFrom {
		if within, ahead, more, ok := h.nearCut(z, limit, left); ok {
			ids, head, left = within, ahead, more
		}
	}
	for len(ids) > rankedMax {
		first, last := extent(ids, z)
		if first == last {
			return h.lastOfEqual(ids, z, p, head, limit, left)
		}
		shift := max(0, bits.Len32(last-first)-bits.Len(binCount-1))
		h.fillBins(ids, z, first, shift)
		b := 0
		for ; b < len(h.bins); b++ {
			x := h.bins[b]
			if x.n >= left || limit > 0 && x.n > 0 && head+x.weight >= limit {
				break
			}
			head, left = head+x.weight, left-x.n
		}
		if b == len(h.bins) {
			return rankOf(lowest, math.MaxInt32)
		}
		ids = h.inBin(b, ids, z, first, shift)
	}
	h.ranks = h.ranks[:0]
	for _, i := range ids {
		h.ranks = append(h.ranks, rankOf(z[i], int(i)))
	}
	slices.Sort(h.ranks)
	return lastOf(h.ranks, prefix(h.ranks[:min(left, len(h.ranks))], top, p, head, limit))
}

// lastOf returns the rank that admits the first n of ranked.
func lastOf(ranked []rank, n int) rank {
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

// fillBins counts and weighs ids by parts of 1<<shift from first on.
func (h *host) fillBins(ids []int32, z []float32, first uint32, shift int) {
	clear(h.bins[:])
	for _, i := range ids {
		b := &h.bins[(descending(z[i])-first)>>shift]
		b.n++
		b.weight += float64(h.weights[i])
	}
}

// inBin returns the ids that fillBins puts into bin b.
func (h *host) inBin(b int, ids []int32, z []float32, first uint32, shift int) []int32 {
	inside, n := h.cutRoom(len(z)), 0 // ids themselves may be the caller's
	for _, i := range ids {
		if int((descending(z[i])-first)>>shift) == b {
			inside[n] = i
			n++
		}
	}
	return inside[:n]
}

// cutRoom has room for n indices beside those that lastKept looks at.
func (h *host) cutRoom(n int) []int32 {
	if len(h.inside) < n {
		h.inside = make([]int32, n)
	}
	return h.inside
}
