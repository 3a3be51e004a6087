package sampler

import "foretoken/model"

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
	return ofRanked(ranked[:prefix(ranked, top, &rule, 0, limit)], top, p.Temperature), nil
}

// withTies adds to ranked, the best of z, what equals its last.
func (h *host) withTies(ranked []rank, z []float32) []rank {
	last := ranked[len(ranked)-1]
	for id := last.id() + 1; id < len(z); id++ { // equals of lower ids rank before it
		if z[id] == last.logit() {
			ranked = append(ranked, rankOf(z[id], id))
		}
	}
	h.ranks = ranked
	return ranked
}
