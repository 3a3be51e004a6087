package sampler

import (
	"slices"

	"foretoken/model"
)

// topKFirst is a plan whose top-k cuts before the other filters: they judge the softmax over
// what it leaves.
func (h *host) topKFirst(z []float32, p *model.Plan) (Distribution, error) {
	ranked, err := h.best(z, p.TopK)
	if err != nil {
		return Distribution{}, err
	}
	if p.KeepTies {
		ranked = h.withTies(ranked, z)
	}
	top, limit := ranked[0].logit(), 0.0
	if p.TopP > 0 {
		for _, k := range ranked {
			limit += weight(k.logit(), top, p.FilterTemperature)
		}
		limit *= float64(p.TopP)
	}
	rule := *p
	rule.KeepTies = false // ties are of top-k alone
	kept := slices.Clone(ranked[:prefix(ranked, top, &rule, 0, limit)])
	slices.SortFunc(kept, byID)
	tokens, weights := make([]model.Token, 0, len(kept)), make([]float64, 0, len(kept))
	for _, k := range kept {
		if w := weight(k.logit(), top, p.Temperature); w > 0 {
			tokens, weights = append(tokens, k.token()), append(weights, w)
		}
	}
	return sparse(tokens, weights), nil
}

// withTies adds to ranked, the best of z, what equals its last.
func (h *host) withTies(ranked []key, z []float32) []key {
	last := ranked[len(ranked)-1]
	for id := last.id() + 1; id < len(z); id++ { // equals of lower ids rank before it
		if z[id] == last.logit() {
			ranked = append(ranked, keyOf(z[id], id))
		}
	}
	h.keys = ranked
	return ranked
}
