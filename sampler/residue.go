package sampler

import (
	"math"

	"foretoken/model"
)

// A residue is max(p-q, 0) of a dense p, id by id or a block at a time; both ascend.
type residue struct {
	p       Distribution
	q       cursor
	np, nq  float64 // what makes probabilities of weights
	aligned bool    // q is dense too, over the same ids
	point   bool    // q is
}

func newResidue(p, q Distribution) *residue {
	return &residue{p: p, q: cursor{d: q}, np: 1 / p.total, nq: 1 / q.total,
		aligned: len(q.dense) == len(p.dense), point: q.IsPoint()}
}

// at returns the weight of an id.
func (r *residue) at(id int) float64 {
	w := r.p.dense[id]
	switch {
	case r.aligned:
		return excess(w, r.q.d.dense[id], r.np, r.nq)
	case r.point:
		if id == int(r.q.d.only) {
			return 0
		}
		return float64(w) * r.np
	}
	return max(float64(w)*r.np-r.q.prob(model.Token(id)), 0)
}

// sum adds the weights of block b.
func (r *residue) sum(b int) float64 {
	from, to := block(b, len(r.p.dense))
	first := r.first(from)
	switch {
	case r.aligned:
		return excesses(r.p.dense[from:to], r.q.d.dense[from:to], r.np, r.nq)
	case first >= to:
		return r.p.blocks[b] * r.np
	case r.point:
		return (sum64(r.p.dense[from:first]) + sum64(r.p.dense[first+1:to])) * r.np
	}
	sum := 0.0
	for id := from; id < to; id++ {
		sum += r.at(id)
	}
	return sum
}

// first returns the first id from from on that q may have.
func (r *residue) first(from int) int {
	q := &r.q
	switch {
	case q.d.dense != nil:
		return from
	case r.point && int(q.d.only) >= from:
		return int(q.d.only)
	}
	if q.seek(model.Token(from)); q.i < len(q.d.tokens) {
		return int(q.d.tokens[q.i])
	}
	return math.MaxInt
}

// excess is max(p*np - q*nq, 0), each product rounded: a fused one would be another
// number on some machines.
func excess(p, q float32, np, nq float64) float64 {
	return max(float64(float64(p)*np)-float64(float64(q)*nq), 0)
}

// excessesPlain adds excess over p and q of one length: in eight chains, as vectors do,
// and the ends after them.
func excessesPlain(p, q []float32, np, nq float64) float64 {
	var a, b [4]float64
	for ; len(p) >= 8 && len(q) >= 8; p, q = p[8:], q[8:] {
		for i := range 4 {
			a[i] += excess(p[i], q[i], np, nq)
			b[i] += excess(p[i+4], q[i+4], np, nq)
		}
	}
	return folded(a, b, p, q, np, nq)
}

// folded adds up the chains and what is left of p and q.
func folded(a, b [4]float64, p, q []float32, np, nq float64) float64 {
	sum := 0.0
	for i := range a {
		sum += a[i] + b[i]
	}
	for i := range p {
		sum += excess(p[i], q[i], np, nq)
	}
	return sum
}
