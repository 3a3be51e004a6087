package sampler

import (
	"slices"

	"foretoken/model"
)

// topKRanked is a plan with a small top-k: the k best are ranked, and the other filters
// cut the ranking.
func (h *host) topKRanked(z []float32, p *model.Plan) (Distribution, error) {
	ranked, err := h.best(z, p.TopK)
	if err != nil {
		return Distribution{}, err
	}
	top := ranked[0].logit()
	return ofRanked(ranked[:h.keptOfRanked(ranked, z, top, p)], top, p.Temperature), nil
}

// ofRanked returns the distribution over ranked, which it reorders.
func ofRanked(ranked []rank, top, temperature float32) Distribution {
	slices.SortFunc(ranked, byID)
	tokens, weights := make([]model.Token, 0, len(ranked)), make([]float64, 0, len(ranked))
	for _, r := range ranked {
		if w := weight(r.logit(), top, temperature); w > 0 {
			tokens, weights = append(tokens, r.token()), append(weights, w)
		}
	}
	return sparse(tokens, weights)
}

// keptOfRanked is prefix for the ranking from its beginning. Top-p's limit is a share of
// the sum over the row, and the sum is added only as far as it tells the cut: where top-p
// cuts nothing, part of the row mostly has weight enough.
func (h *host) keptOfRanked(ranked []rank, z []float32, top float32, p *model.Plan) int {
	uncut := prefix(ranked, top, p, 0, 0)
	if p.TopP == 0 || uncut < 2 {
		return uncut
	}
	before := h.weighRanked(ranked[:uncut], top, p.FilterTemperature)
	factor, share := scale(p.FilterTemperature), float64(p.TopP)
	low, high := 0.0, 0.0 // bounds of the sum up to next
	for next := 0; next < len(z); {
		if share*(low+massFrom(ranked, h.masses, next)) > before {
			return uncut
		}
		part := z[next:min(next+sumStep, len(z))]
		least, greatest := expSumBounds(part, top, factor)
		low, high, next = low+least, high+greatest, next+len(part)
	}
	if share*low > before {
		return uncut
	}
	n := prefix(ranked, top, p, 0, share*low)
	if low == high || n == prefix(ranked, top, p, 0, share*high) {
		return n
	}
	return prefix(ranked, top, p, 0, share*expSum(z, top, factor))
}

// sumStep is how much of a row is added before keptOfRanked looks at the sum again.
const sumStep = 4096

// weighRanked puts the weights of ranked into h.masses, and returns the sum of all but
// the last.
func (h *host) weighRanked(ranked []rank, top, temperature float32) (before float64) {
	h.masses = slices.Grow(h.masses[:0], len(ranked))
	for i, r := range ranked {
		w := weight(r.logit(), top, temperature)
		if h.masses = append(h.masses, w); i < len(ranked)-1 {
			before += w
		}
	}
	return before
}

// massFrom adds the masses of what in ranked has the id next or a later one.
func massFrom(ranked []rank, masses []float64, next int) float64 {
	sum := 0.0
	for i, m := range masses {
		if ranked[i].id() >= next {
			sum += m
		}
	}
	return sum
}
