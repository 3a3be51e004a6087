package sampler

import (
	"iter"
	"slices"

	"foretoken/model"
)

// A Distribution is the probability of each next token: what one draw at one
// position would do. It is immutable, and lasts until its builder's Recycle. The zero
// value is no distribution.
type Distribution struct {
	tokens      []model.Token // ascending support; nil where dense or a point
	weights     []float64     // of tokens, above 0
	dense       []float32     // weight of every id, where most ids have one
	blocks      []float64     // sums of dense, blockLen at a time, which add up to total
	total       float64       // sum of the weights; probabilities are weights over it
	only        model.Token   // the token of a point
	fingerprint string        // of the builder that made it
}

// Point returns the distribution that always yields t.
func Point(t model.Token) Distribution {
	return Distribution{only: t, total: 1, fingerprint: PointFingerprint}
}

// Fingerprint names the rules d was built by.
func (d Distribution) Fingerprint() string { return d.fingerprint }

// IsPoint reports whether d has a single token.
func (d Distribution) IsPoint() bool { return d.tokens == nil && d.dense == nil && d.total > 0 }

// Len is the number of tokens that have a probability.
func (d Distribution) Len() int {
	n := 0
	for range d.All() {
		n++
	}
	return n
}

// Prob returns the probability of t, zero outside the support.
func (d Distribution) Prob(t model.Token) float64 {
	switch {
	case d.IsPoint():
		if t == d.only {
			return 1
		}
	case d.dense != nil:
		if t >= 0 && int(t) < len(d.dense) {
			return float64(d.dense[t]) / d.total
		}
	default:
		if i, ok := slices.BinarySearch(d.tokens, t); ok {
			return d.weights[i] / d.total
		}
	}
	return 0
}

// All yields the support, ascending by id, with its probabilities.
func (d Distribution) All() iter.Seq2[model.Token, float64] {
	return func(yield func(model.Token, float64) bool) {
		if d.IsPoint() {
			yield(d.only, 1)
			return
		}
		for i, t := range d.tokens {
			if !yield(t, d.weights[i]/d.total) {
				return
			}
		}
		for t, w := range d.dense {
			if w > 0 && !yield(model.Token(t), float64(w)/d.total) {
				return
			}
		}
	}
}

// sparse returns the distribution of weights above 0, which it keeps. It has no
// fingerprint yet.
func sparse(tokens []model.Token, weights []float64) Distribution {
	if len(tokens) == 1 {
		return Point(tokens[0])
	}
	d := Distribution{tokens: tokens, weights: weights}
	for _, w := range weights {
		d.total += w
	}
	return d
}

// under names the rules d was built by.
func (d Distribution) under(fingerprint string) Distribution {
	d.fingerprint = fingerprint
	return d
}
