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
	if p.dense != nil {
		r := newResidue(p, q)
		tokens, weights = make([]model.Token, 0, len(p.dense)), make([]float64, 0, len(p.dense))
		for t := range p.dense {
			if w := r.at(t); w > 0 {
				tokens, weights = append(tokens, model.Token(t)), append(weights, w)
			}
		}
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

// DrawResidual is Residual(p, q).Draw(u). Where p has most of the vocabulary it
// does not write the residual out, which takes longer than all else in a round but
// the forwards.
func DrawResidual(p, q Distribution, u float32) model.Token {
	if p.dense == nil {
		return Residual(p, q).Draw(u)
	}
	r, total := newResidue(p, q), 0.0
	var room [512]float64 // of 2^18 ids
	sums := room[:0]
	for b := range p.blocks {
		sums = append(sums, r.sum(b))
		total += sums[b]
	}
	if total == 0 {
		return p.Draw(u)
	}
	r.q.i = 0 // inverse begins anew
	return inverse(sums, len(p.dense), float64(u)*total, r.at)
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
	if c.seek(t); c.i < len(c.d.tokens) && c.d.tokens[c.i] == t {
		return c.d.weights[c.i] / c.d.total
	}
	return 0
}

// seek passes the tokens before t.
func (c *cursor) seek(t model.Token) {
	for c.i < len(c.d.tokens) && c.d.tokens[c.i] < t {
		c.i++
	}
}
