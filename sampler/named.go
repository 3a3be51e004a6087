package sampler

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"foretoken/model"
)

// sumSlack is how far probabilities that somebody else made may sum from 1: float32's
// rounding over a large vocabulary.
const sumSlack = 1e-4

// NewDistribution returns the distribution that gives each of tokens its probability, under
// the law that fingerprint names: for drafters that bring a q of their own. The slices have
// one length, at least 1; tokens differ; probabilities are finite, at least 0, and sum to 1
// within 1e-4 (they are divided by their sum). Anything else is an error.
func NewDistribution(fingerprint string, tokens []model.Token, probs []float64) (Distribution, error) {
	if fingerprint == "" {
		return Distribution{}, fmt.Errorf("sampler: a distribution without a fingerprint, want the name of its law")
	}
	if len(tokens) != len(probs) || len(tokens) == 0 {
		return Distribution{}, fmt.Errorf("sampler: %d tokens and %d probabilities, want as many of each, at least 1", len(tokens), len(probs))
	}
	order := make([]int, len(tokens))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(tokens[a], tokens[b]) })
	var ids []model.Token
	var weights []float64
	sum, last := 0.0, model.Token(-1)
	for _, i := range order {
		t, p := tokens[i], probs[i]
		switch {
		case t <= last:
			return Distribution{}, fmt.Errorf("sampler: token %d, want ids of at least 0, each once", t)
		case !(p >= 0) || math.IsInf(p, 1):
			return Distribution{}, fmt.Errorf("sampler: token %d has probability %v, want a number from 0 to 1", t, p)
		}
		sum, last = sum+p, t
		if p > 0 {
			ids, weights = append(ids, t), append(weights, p)
		}
	}
	if !(math.Abs(sum-1) <= sumSlack) {
		return Distribution{}, fmt.Errorf("sampler: the probabilities sum to %v, want 1", sum)
	}
	return sparse(ids, weights).under(fingerprint), nil
}

// WeightedResidual returns normalize(max(w*p - q, 0)) for w above 0: where a path stands
// with weight w, what a refused draft is replaced from (Sun et al. 2024, block
// verification, algorithm 2). With w = 1 it is Residual. Where rounding leaves no mass it returns p.
func WeightedResidual(p, q Distribution, w float64) Distribution {
	var tokens []model.Token
	var weights []float64
	other := cursor{d: q}
	for t, x := range p.All() {
		if rest := w*x - other.prob(t); rest > 0 {
			tokens, weights = append(tokens, t), append(weights, rest)
		}
	}
	if len(tokens) == 0 {
		return p
	}
	return sparse(tokens, weights).under(p.fingerprint)
}
