package sampler

import "foretoken/model"

// prefix returns how many of ranked p's top-p and min-p keep. Tokens of weight
// head rank before them; top-p keeps while the weight before a token is below
// limit, 0 being no limit.
//
// The rule in words that walk the other way: a token survives top-p iff the
// ascending inclusive sum of probabilities at it exceeds 1 - top_p.
func prefix(ranked []rank, top float32, p *model.Plan, head, limit float64) int {
	before := head // weight strictly above the logit at hand, if ties stay together
	for i, k := range ranked {
		z := k.logit()
		w := weight(z, top, p.FilterTemperature)
		if i > 0 && !(p.KeepTies && z == ranked[i-1].logit()) {
			before = head
		}
		if w == 0 || w < float64(p.MinP) || limit > 0 && before >= limit {
			return i
		}
		head += w
	}
	return len(ranked)
}
