package sampler

import (
	"math"

	"foretoken/model"
)

// Rows most of whose ids weigh about as much as the best one, as an untrained model's:
// nearly every id is a candidate, and most of them stay.

// heavy is a weight of which few candidates are lighter where a row is flat.
const heavy = 1.0 / 32

// flatStep is between two ids of the sample that tells a flat row.
const flatStep = 512

// mostlyHeavy reports whether most of w are heavy, by a sample.
func mostlyHeavy(w []float32) bool {
	if len(w) < 16*flatStep {
		return false
	}
	n := 0
	for i := 0; i < len(w); i += flatStep {
		if w[i] >= heavy {
			n++
		}
	}
	return 2*n*flatStep > len(w)
}

// everyID returns n ids, which stay h's and as they are.
func (h *host) everyID(n int) []int32 {
	for i := len(h.all); i < n; i++ {
		h.all = append(h.all, int32(i))
	}
	return h.all[:n]
}

// keepsMost reports whether ids is the whole row and most of it, by a sample, does not
// rank behind last.
func keepsMost(ids []int32, z []float32, last rank) bool {
	if len(ids) != len(z) || len(z) < 16*flatStep {
		return false
	}
	n := 0
	for i := 0; i < len(z); i += flatStep {
		if rankOf(z[i], i) <= last {
			n++
		}
	}
	return 2*n*flatStep > len(z)
}

// maskedRow is upTo and ofWeighed of such a row in one pass: the weights of what does not
// rank behind last, and 0 for the others.
func (h *host) maskedRow(z []float32, last rank) Distribution {
	d, after := h.rows.take(len(z)), min(last.id()+1, len(z))
	logit := last.logit()
	equal := math.Nextafter32(logit, lowest) // equals stay up to last
	for b := range d.blocks {
		from, to := block(b, len(z))
		mid := min(max(after, from), to)
		d.blocks[b] = keep(d.dense[from:mid], h.weights[from:mid], z[from:mid], equal) +
			keep(d.dense[mid:to], h.weights[mid:to], z[mid:to], logit)
		d.total += d.blocks[b]
	}
	return d
}

// lastOfEqual is lastKept where all of ids have one logit.
func (h *host) lastOfEqual(ids []int32, z []float32, p *model.Plan, head, limit float64, left int) rank {
	n := min(left, len(ids))
	if limit > 0 && !p.KeepTies {
		n = min(n, int(math.Ceil((limit-head)/float64(h.weights[ids[0]]))))
	}
	last := ids[max(n, 1)-1]
	return rankOf(z[last], int(last))
}
