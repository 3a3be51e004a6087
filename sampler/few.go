package sampler

import (
	"math"
	"slices"

	"foretoken/model"
)

// few is a plan with a small top-k: the candidates are ranked, the other filters
// cut the ranking.
func (h *host) few(z []float32, p *model.Plan) (Distribution, error) {
	ranked, err := h.best(z, p.TopK)
	if err != nil {
		return Distribution{}, err
	}
	top := ranked[0].logit()
	kept := ranked[:h.rankedPrefix(ranked, z, top, p)]
	slices.SortFunc(kept, byID)
	tokens, weights := make([]model.Token, 0, len(kept)), make([]float64, 0, len(kept))
	for _, k := range kept {
		if w := weight(k.logit(), top, p.Temperature); w > 0 {
			tokens, weights = append(tokens, k.token()), append(weights, w)
		}
	}
	return sparse(tokens, weights), nil
}

// rankedPrefix is prefix for the ranking from its beginning. It asks for the sum
// over the row only as closely as the cut needs it, and only as far: where top-p
// cuts nothing, part of the row mostly has weight enough to tell.
func (h *host) rankedPrefix(ranked []key, z []float32, top float32, p *model.Plan) int {
	most := prefix(ranked, top, p, 0, 0)
	if p.TopP == 0 || most < 2 {
		return most
	}
	h.masses = slices.Grow(h.masses[:0], most)
	before := 0.0 // weight that ranks before the last that the other filters keep
	for i, k := range ranked[:most] {
		w := weight(k.logit(), top, p.FilterTemperature)
		if h.masses = append(h.masses, w); i < most-1 {
			before += w
		}
	}
	factor, share := scale(p.FilterTemperature), float64(p.TopP)
	for _, bounds := range sums(ranked, z, top, p) {
		low, high := 0.0, 0.0 // of the sum up to next
		for next := 0; ; {
			if share*(low+massFrom(ranked, h.masses, next)) > before {
				return most
			}
			if next == len(z) {
				break
			}
			part := z[next:min(next+piece, len(z))]
			least, greatest := bounds(part, top, factor)
			low, high, next = low+least, high+greatest, next+len(part)
		}
		n := prefix(ranked, top, p, 0, share*low)
		if low == high || n == prefix(ranked, top, p, 0, share*high) {
			return n
		}
	}
	return prefix(ranked, top, p, 0, share*expSum(z, top, factor))
}

// piece is how much of a row is added before rankedPrefix looks at the sum again.
const piece = 4096

// massFrom adds the masses of what in ranked has the id next or a later one.
func massFrom(ranked []key, masses []float64, next int) float64 {
	sum := 0.0
	for i, m := range masses {
		if ranked[i].id() >= next {
			sum += m
		}
	}
	return sum
}

func byID(a, b key) int { return a.id() - b.id() }

// lowest is below every logit that can be drawn.
var lowest = float32(math.Inf(-1))

// best returns the keys of up to k best logits above -Inf, in rank order. They
// are h's until its next use. It keeps candidates above a threshold that rises
// each time their buffer is full; later equals have higher ids and rank below.
func (h *host) best(z []float32, k int) ([]key, error) {
	k = min(k, len(z))
	if k < 1 {
		return nil, nil
	}
	room := max(4*k, 256)
	h.keys, h.found = slices.Grow(h.keys[:0], room), slices.Grow(h.found[:0], room)
	keys, least, refills := h.keys, lowest, 0
	for next := 0; next < len(z); {
		var n int
		n, next = above(h.found[:room-len(keys)], z, next, least)
		for _, i := range h.found[:n] {
			v := z[i]
			if isNaN(v) || isInf(v, 1) {
				return nil, &LogitError{Token: model.Token(i), Value: v}
			}
			keys = append(keys, keyOf(v, int(i)))
		}
		if len(keys) > k {
			smallest(keys, k)
			keys = keys[:k]
			least = slices.Max(keys).logit()
		}
		if refills++; refills == manyRefills {
			least = max(least, h.guess(z, k))
		}
	}
	if len(keys) == 0 {
		return nil, ErrNoToken
	}
	slices.Sort(keys)
	return keys, nil
}

const (
	manyRefills = 16   // a row of unordered logits refills the buffer less often
	sampleSize  = 4096 // logits that guess looks at
)

// guess returns a threshold that up to k logits of a sample spread over z exceed,
// so that all of the k best do: what keeps a row that ascends from passing every
// logit through the buffer.
func (h *host) guess(z []float32, k int) float32 {
	if len(z) < 2*sampleSize || k > sampleSize/4 {
		return lowest
	}
	h.sample = h.sample[:0]
	for i := 0; i < len(z); i += len(z) / sampleSize {
		if !isNaN(z[i]) {
			h.sample = append(h.sample, keyOf(z[i], i))
		}
	}
	if len(h.sample) < k {
		return lowest
	}
	smallest(h.sample, k)
	return math.Nextafter32(slices.Max(h.sample[:k]).logit(), lowest)
}
