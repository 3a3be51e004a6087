package sampler

import "math"

// mostOf reports whether ids is the whole row and most of it, by a sample, does not rank
// behind last.
func mostOf(ids []int32, z []float32, last key) bool {
	const step = 512
	if len(ids) != len(z) || len(z) < 16*step {
		return false
	}
	n := 0
	for i := 0; i < len(z); i += step {
		if keyOf(z[i], i) <= last {
			n++
		}
	}
	return 2*n*step > len(z)
}

// most is upTo and emit of such a row in one pass: the weights of what does not rank
// behind last, and 0 for the others.
func (h *host) most(z []float32, last key) Distribution {
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
