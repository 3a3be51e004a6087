package sampler

import (
	"math"
	"slices"
)

const (
	sampledFrom = 8192 // candidates from which a sample is asked where the cut may be
	sampleSize  = 1024 // of the sample
	deviations  = 5    // of its ranks, to either side
)

// nearCut narrows a row of which every id is a candidate to those around the cut, by one
// pass over it: a sample says between which logits it should be. It returns what lastKept
// goes on with, and false where the cut is not there.
func (h *host) nearCut(z []float32, limit float64, left int) (within []int32, ahead float64, more int, ok bool) {
	first, last := h.aroundCut(z, limit, left)
	if first == last { // one value is most of them: a histogram tells more
		return nil, 0, 0, false
	}
	inside := h.cutRoom(len(z) + 1)
	part := splitAt(inside, z, h.weights, first, last)
	reached := part.above+part.inside >= left || limit > 0 && part.aboveWeight+part.insideWeight >= limit
	passed := part.above >= left || limit > 0 && part.aboveWeight >= limit
	if passed && part.above > 0 || !reached || part.inside == 0 {
		return nil, 0, 0, false
	}
	return inside[:part.inside], part.aboveWeight, left - part.above, true
}

// aroundCut returns logits that should stand before the cut and behind it.
func (h *host) aroundCut(z []float32, limit float64, left int) (first, last float32) {
	h.ranks = h.ranks[:0]
	step := len(z) / sampleSize
	for i := 0; i < len(z); i += step {
		h.ranks = append(h.ranks, rankOf(z[i], i))
	}
	slices.Sort(h.ranks)
	cut := 0
	for weight := 0.0; cut < len(h.ranks)-1; cut++ {
		weight += float64(step) * float64(h.weights[h.ranks[cut].id()])
		if limit > 0 && weight >= limit || (cut+1)*step >= left {
			break
		}
	}
	first, last = float32(math.Inf(1)), lowest
	share := float64(cut+1) / float64(len(h.ranks)+1)
	width := 1 + int(deviations*math.Sqrt(float64(len(h.ranks))*share*(1-share)))
	if cut >= width {
		first = h.ranks[cut-width].logit()
	}
	if cut+width < len(h.ranks) {
		last = h.ranks[cut+width].logit()
	}
	return first, last
}
