package sampler

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"foretoken/model"
)

// A naive is what the pipeline does to one row, by its definition: everything in
// float64, every ranking a full sort.
type naive struct {
	probs []float64
	// margin is how near the closest cut was decided, as a part of the total: a
	// float32 sum may decide within 1e-6 otherwise.
	margin float64
}

// reference computes the law of c on row, ids past real left out, at a position
// whose mask is allowed (nil: all).
func reference(c Config, row []float32, real int, at Position, allowed func(int) bool) naive {
	z := make([]float64, real)
	for i := range z {
		z[i] = math.Inf(-1)
		if i < len(row) && (allowed == nil || allowed(i)) {
			z[i] = float64(row[i])
		}
	}
	for t, b := range c.LogitBias {
		if t >= 0 && int(t) < real {
			z[t] = float64(float32(z[t]) + b)
		}
	}
	penalties(c, z, at)
	rank := make([]int, real)
	for i := range rank {
		rank[i] = i
	}
	slices.SortStableFunc(rank, func(a, b int) int { return cmp.Compare(z[b], z[a]) })
	if c.Greedy() {
		p := make([]float64, real)
		p[rank[0]] = 1
		return naive{p, 1}
	}
	filter := float64(c.Temperature)
	if c.Order == MLXLM || c.Order == LlamaCPP {
		filter = 1
	}
	if (c.Order == Transformers || c.Order == LlamaCPP) && c.TopK > 0 && c.TopK < real { // and the others see what it leaves
		for i, id := range rank {
			if i >= c.TopK && !(c.Order == Transformers && z[id] == z[rank[c.TopK-1]]) {
				z[id] = math.Inf(-1)
			}
		}
		c.TopK = 0
	}
	p := softmaxOf(z, filter)
	margin := cuts(c, p, z, rank)
	for i := range z {
		if p[i] == 0 {
			z[i] = math.Inf(-1)
		}
	}
	return naive{softmaxOf(z, float64(c.Temperature)), margin}
}

// cuts zeroes what the filters drop, one after the other.
func cuts(c Config, p, z []float64, rank []int) float64 {
	margin, top := 1.0, p[rank[0]]
	if c.TopP > 0 && c.TopP < 1 {
		// Ascending, inclusive: what survives exceeds 1 - top_p.
		sum := 0.0
		drop := make([]bool, len(p))
		for i, equals := len(rank)-1, 0; i >= 0; i-- {
			switch {
			case c.Order != MLXLM:
				sum += p[rank[i]]
			case equals > 0: // added with the last of them
				equals--
			default:
				for ; equals <= i && z[rank[i-equals]] == z[rank[i]]; equals++ {
					sum += p[rank[i-equals]]
				}
				equals--
			}
			drop[rank[i]] = !(sum > 1-float64(c.TopP))
			margin = min(margin, math.Abs(sum-(1-float64(c.TopP))))
		}
		for i := range p {
			if drop[i] {
				p[i] = 0
			}
		}
	}
	if c.MinP > 0 {
		for i := range p {
			margin = min(margin, math.Abs(p[i]-top*float64(c.MinP)))
			if p[i] < top*float64(c.MinP) {
				p[i] = 0
			}
		}
	}
	if c.TopK > 0 && c.TopK < len(p) {
		for _, i := range rank[c.TopK:] {
			p[i] = 0
		}
	}
	return margin
}

func softmaxOf(z []float64, temperature float64) []float64 {
	p, sum, top := make([]float64, len(z)), 0.0, slices.Max(z)
	for i := range z {
		p[i] = math.Exp((z[i] - top) / temperature)
		sum += p[i]
	}
	for i := range p {
		p[i] /= sum
	}
	return p
}

func penalties(c Config, z []float64, at Position) {
	n := c.Penalties.Window
	if c.Order == TemperatureFirst || c.Order == "" {
		n = min(n, at.Generated)
	}
	seen := map[model.Token]int{}
	for _, t := range at.History[max(0, len(at.History)-n):] {
		seen[t]++
	}
	for t, n := range seen {
		l := float32(z[t])
		if l < 0 {
			l *= c.Penalties.Repetition
		} else {
			l /= c.Penalties.Repetition
		}
		l -= c.Penalties.Presence
		z[t] = float64(l - c.Penalties.Frequency*float32(n))
	}
}

// faint is a probability that one of the two may round to none.
const faint = 1e-37

// same reports how d differs from what the definition gives.
func same(d Distribution, want naive) error {
	sum, last := 0.0, model.Token(-1)
	for t, p := range d.All() {
		if t <= last || p != d.Prob(t) || !(p > 0) {
			return fmt.Errorf("token %d after %d has %v in All and %v by Prob", t, last, p, d.Prob(t))
		}
		last = t
		sum += p
	}
	if math.Abs(sum-1) > 1e-9 {
		return fmt.Errorf("probabilities sum to %v", sum)
	}
	for i, w := range want.probs {
		p := d.Prob(model.Token(i))
		if (p > 0) != (w > 0) && p+w > faint {
			if want.margin < 1e-6 {
				return nil // decided within the tolerance
			}
			return fmt.Errorf("token %d has %v, want %v (margin %v)", i, p, w, want.margin)
		}
	}
	for i, w := range want.probs {
		// An exponent of a float32 weight, up to 87, is good to 7 digits.
		if p := d.Prob(model.Token(i)); math.Abs(p-w) > 1e-5*w+1e-30 || math.Abs(p-w) > 1e-6 {
			return fmt.Errorf("token %d has %v, want %v", i, p, w)
		}
	}
	return nil
}
