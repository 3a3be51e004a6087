package samplertest

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"foretoken/model"
	"foretoken/sampler"
)

// cuts holds the tokens of one support alone against the threshold.
func (c *Comparison) cuts(config sampler.Config, row []float32, at sampler.Position, got, want map[model.Token]float64) error {
	var apart []model.Token
	for t := range got {
		if _, ok := want[t]; !ok {
			apart = append(apart, t)
		}
	}
	for t := range want {
		if _, ok := got[t]; !ok {
			apart = append(apart, t)
		}
	}
	if len(apart) == 0 {
		return nil
	}
	// What the filters judge: the distribution before them.
	before := config
	before.TopP, before.MinP, before.TopK = 1, 0, 0
	if config.Order == sampler.MLXLM {
		before.Temperature = 1
	}
	d, err := distribution(before, len(row), len(row), at, model.Row(row))
	if err != nil {
		return err
	}
	for _, t := range apart {
		if !atThreshold(d, t, config) {
			return fmt.Errorf("token %d is in one support alone (the backend's has %d, the host's %d), and not at the threshold", t, len(got), len(want))
		}
	}
	c.AtCut += len(apart)
	return nil
}

// atThreshold is whether the mass ranked before t is top_p, nearly.
func atThreshold(d sampler.Distribution, t model.Token, c sampler.Config) bool {
	type ranked struct {
		t model.Token
		p float64
	}
	var list []ranked
	for t, p := range d.All() {
		list = append(list, ranked{t, p})
	}
	slices.SortStableFunc(list, func(a, b ranked) int { return cmp.Compare(b.p, a.p) })
	mass, strict := 0.0, 0.0
	for i, x := range list {
		if i > 0 && x.p != list[i-1].p {
			strict = mass
		}
		if x.t == t {
			if c.Order == sampler.MLXLM {
				mass = strict
			}
			return math.Abs(mass-float64(c.TopP)) <= MassTolerance
		}
		mass += x.p
	}
	return false
}
