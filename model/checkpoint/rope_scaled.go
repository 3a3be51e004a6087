package checkpoint

import "math"

// ntkTheta is the base of NTK scaling for a text of n tokens: that of the model up to its
// context, and above it (factor n/context - (factor-1))^(d/(d-2)) times that, d being
// the width of a head.
func (c Config) ntkTheta(n int) float64 {
	s := c.RopeScaling
	if n <= s.OriginalContext {
		return c.RopeTheta
	}
	d := float64(c.HeadDim)
	return c.RopeTheta * math.Pow(s.Factor*float64(n)/float64(s.OriginalContext)-(s.Factor-1), d/(d-2))
}

// yarn is "NTK-by-parts" of Peng et al. 2023, section 3.2: pairs that make more than
// BetaFast turns over the original context are left, those that make fewer than BetaSlow
// are stretched by Factor, and between the two it goes along the pairs' numbers.
func (c Config) yarn() []float64 {
	s := c.RopeScaling
	low, high := c.turning(s.BetaFast), c.turning(s.BetaSlow)
	if !s.Unrounded {
		low, high = math.Floor(low), math.Ceil(high)
	}
	low, high = max(low, 0), min(high, float64(c.HeadDim-1))
	if low == high {
		high += .001
	}
	freqs := c.rope(c.RopeTheta)
	for i, f := range freqs {
		stretched := min(max((float64(i)-low)/(high-low), 0), 1)
		freqs[i] = f/s.Factor*stretched + f*(1-stretched)
	}
	return freqs
}

// turning is the number, not a whole one, of the pair that makes so many turns over the
// original context.
func (c Config) turning(turns float64) float64 {
	return float64(c.HeadDim) * math.Log(float64(c.RopeScaling.OriginalContext)/(turns*2*math.Pi)) / (2 * math.Log(c.RopeTheta))
}

// yarnAttention is YaRN's factor of queries and keys, section 3.4.
func yarnAttention(factor, scale float64) float64 {
	if factor <= 1 {
		return 1
	}
	return .1*scale*math.Log(factor) + 1
}

// context is how far a scaled model goes: what its file says, or Factor times what it was
// trained for, where its kind of scaling is meant to reach that.
func (s *RopeScaling) context(said int) int {
	switch s.Type {
	case "yarn", "dynamic", "longrope":
		if reach := s.Factor * float64(s.OriginalContext); reach < 1<<40 {
			return max(said, int(reach))
		}
	}
	return said
}
