package sampler

import (
	"math"
	"slices"
)

const (
	bracketFrom = 8192 // candidates from which a sample is asked where the cut may be
	bracketSize = 1024 // of the sample
	deviations  = 5    // of its ranks, to either side
)

// bracket narrows ids to those around the cut, by one pass over them: a sample says
// between which logits it should be. It returns what boundary goes on with, and
// false where the cut is not there.
func (h *host) bracket(ids []int32, z []float32, head, limit float64, left int) (within []int32, ahead float64, more int, ok bool) {
	first, last := h.around(ids, z, head, limit, left)
	if first == last { // one value is most of them: a histogram tells more
		return nil, 0, 0, false
	}
	members, part := h.scratch(len(z)+1), split{}
	if len(ids) == len(z) {
		part = splitAt(members, z, h.weights, first, last)
	} else {
		part = h.splitOf(members, ids, z, first, last)
	}
	reached := part.above+part.inside >= left || limit > 0 && head+part.aboveWeight+part.insideWeight >= limit
	passed := part.above >= left || limit > 0 && head+part.aboveWeight >= limit
	if passed && part.above > 0 || !reached || part.inside == 0 {
		return nil, 0, 0, false
	}
	return members[:part.inside], head + part.aboveWeight, left - part.above, true
}

// splitOf is splitPlain over ids.
func (h *host) splitOf(dst, ids []int32, z []float32, first, last float32) (s split) {
	for _, i := range ids {
		v, w := z[i], math.Float32bits(h.weights[i])
		var less, upTo uint32
		if v > first {
			less = 1
		}
		if v >= last {
			upTo = 1
		}
		dst[s.inside] = i
		s.above, s.inside = s.above+int(less), s.inside+int(upTo&^less)
		s.aboveWeight += float64(math.Float32frombits(w & -less))
		s.insideWeight += float64(math.Float32frombits(w & -(upTo &^ less)))
	}
	return s
}

// around returns logits that should stand before the cut and behind it.
func (h *host) around(ids []int32, z []float32, head, limit float64, left int) (first, last float32) {
	h.keys = h.keys[:0]
	step := len(ids) / bracketSize
	for j := 0; j < len(ids); j += step {
		h.keys = append(h.keys, keyOf(z[ids[j]], int(ids[j])))
	}
	slices.Sort(h.keys)
	cut := 0
	for weight := head; cut < len(h.keys)-1; cut++ {
		weight += float64(step) * float64(h.weights[h.keys[cut].id()])
		if limit > 0 && weight >= limit || (cut+1)*step >= left {
			break
		}
	}
	first, last = float32(math.Inf(1)), lowest
	share := float64(cut+1) / float64(len(h.keys)+1)
	width := 1 + int(deviations*math.Sqrt(float64(len(h.keys))*share*(1-share)))
	if cut >= width {
		first = h.keys[cut-width].logit()
	}
	if cut+width < len(h.keys) {
		last = h.keys[cut+width].logit()
	}
	return first, last
}

// scratch has room for n indices beside those that boundary looks at.
func (h *host) scratch(n int) []int32 {
	if len(h.members) < n {
		h.members = make([]int32, n)
	}
	return h.members
}
