package sampler

import "foretoken/model"

// Residual returns normalize(max(p-q, 0)), what a refused draft is replaced from
// (Leviathan et al. 2023, section 2.3). Where rounding leaves no mass it returns
// p. Residual(q, Point(t)) is q given that it is not t.
func Residual(p, q Distribution) Distribution {
	var (
		tokens  []model.Token
		weights []float64
	)
	if p.dense != nil && len(p.dense) == len(q.dense) {
		tokens, weights = differences(p, q)
	} else {
		other := cursor{d: q}
		for t, x := range p.All() {
			if w := x - other.prob(t); w > 0 {
				tokens, weights = append(tokens, t), append(weights, w)
			}
		}
	}
	if len(tokens) == 0 {
		return p
	}
	return sparse(tokens, weights).under(p.fingerprint)
}

// differences is what p has above q, both of them dense. Where every id has a
// weight it saves most of the time that the general loop takes.
func differences(p, q Distribution) ([]model.Token, []float64) {
	n := 0
	tokens, weights := make([]model.Token, len(p.dense)), make([]float64, len(p.dense))
	other := q.dense[:len(p.dense)]
	for t, w := range p.dense {
		d := float64(w)/p.total - float64(other[t])/q.total
		tokens[n], weights[n] = model.Token(t), d // kept by the step alone: no branch guesses its sign
		if d > 0 {
			n++
		}
	}
	return tokens[:n], weights[:n]
}

// Overlap returns the sum of min(p, q): the exact chance that one draw from q
// survives p (Leviathan et al. 2023, Theorem 3.5).
func Overlap(p, q Distribution) float64 {
	sum, other := 0.0, cursor{d: q}
	for t, x := range p.All() {
		sum += min(x, other.prob(t))
	}
	return sum
}

// A cursor gives the probabilities of a distribution at ascending tokens.
type cursor struct {
	d Distribution
	i int // d.tokens before it are passed
}

func (c *cursor) prob(t model.Token) float64 {
	if c.d.tokens == nil {
		return c.d.Prob(t)
	}
	for c.i < len(c.d.tokens) && c.d.tokens[c.i] < t {
		c.i++
	}
	if c.i < len(c.d.tokens) && c.d.tokens[c.i] == t {
		return c.d.weights[c.i] / c.d.total
	}
	return 0
}
