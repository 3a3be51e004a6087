package checkpoint

import (
	"fmt"
	"math"
)

// RopeScaling changes the angles of rope: position interpolation ("linear", Chen et
// al. 2023), Llama 3's frequency-dependent scaling ("llama3"), YaRN ("yarn", Peng et
// al. 2023), NTK scaling that grows with the text ("dynamic"), LongRoPE's two tables
// ("longrope", Ding et al. 2024), or a GGUF's table of what llama3's came to
// ("factors"). Each is computed as transformers does.
type RopeScaling struct {
	Type            string
	Factor          float64
	LowFreqFactor   float64
	HighFreqFactor  float64
	OriginalContext int       // positions trained for before scaling
	Factors         []float64 // [HeadDim/2] divisors of the frequencies: of "factors", and of longrope up to OriginalContext
	LongFactors     []float64 // of longrope above OriginalContext
	BetaFast        float64   // of yarn: turns over OriginalContext from which on a pair is left
	BetaSlow        float64   // and up to which it is stretched
	Unrounded       bool      // of yarn: the pairs where the two meet are no whole numbers
	Attention       float64   // multiplies queries and keys after rope; 0 is 1
}

// RopeFrequencies returns the [HeadDim/2] angles, in radians a position, that rope turns
// the pairs (i, i+HeadDim/2) of a head by in a text of n tokens: theta^(-2i/HeadDim),
// scaled. Only where RopeChanges do they depend on n.
//
// The rule of llama3 is that of Llama 3.1's model card: wavelengths above
// OriginalContext/LowFreqFactor are stretched by Factor, those below
// OriginalContext/HighFreqFactor are left, and between the two it is interpolated.
func (c Config) RopeFrequencies(n int) []float64 {
	s := c.RopeScaling
	if s == nil {
		return c.rope(c.RopeTheta)
	}
	switch s.Type {
	case "dynamic":
		return c.rope(c.ntkTheta(n))
	case "yarn":
		return c.yarn()
	}
	freqs := c.rope(c.RopeTheta)
	for i, f := range freqs {
		switch {
		case s.Type == "linear":
			freqs[i] = f / s.Factor
		case s.Type == "longrope" && n > s.OriginalContext:
			freqs[i] = f / s.LongFactors[i]
		case s.Type == "factors" || s.Type == "longrope":
			freqs[i] = f / s.Factors[i]
		case s.Type == "llama3":
			turns := float64(s.OriginalContext) * f / (2 * math.Pi) // of the pair, over the original context
			smooth := (turns - s.LowFreqFactor) / (s.HighFreqFactor - s.LowFreqFactor)
			smooth = min(max(smooth, 0), 1)
			freqs[i] = (1-smooth)*f/s.Factor + smooth*f
		default:
			panic("checkpoint: rope scaling of type " + s.Type)
		}
	}
	return freqs
}

// rope is the frequencies of a base.
func (c Config) rope(theta float64) []float64 {
	freqs := make([]float64, c.HeadDim/2)
	for i := range freqs {
		freqs[i] = math.Pow(theta, -2*float64(i)/float64(c.HeadDim))
	}
	return freqs
}

// RopeChanges is whether the frequencies depend on how long a text is: a token more can
// then change what every token before it comes to.
func (c Config) RopeChanges() bool {
	return c.RopeScaling != nil && (c.RopeScaling.Type == "dynamic" || c.RopeScaling.Type == "longrope")
}

// RopeLength is the least length of a text whose frequencies are those of n tokens.
func (c Config) RopeLength(n int) int {
	switch {
	case !c.RopeChanges() || n <= c.RopeScaling.OriginalContext:
		return 1
	case c.RopeScaling.Type == "longrope":
		return c.RopeScaling.OriginalContext + 1
	}
	return n
}

// RopeAttention is what queries and keys are multiplied by after rope.
func (c Config) RopeAttention() float64 {
	if c.RopeScaling == nil || c.RopeScaling.Attention == 0 {
		return 1
	}
	return c.RopeScaling.Attention
}

func (s *RopeScaling) check(file string, c Config) error {
	if s == nil {
		return nil
	}
	if a := c.RopeAttention(); !(a > 0) || math.IsInf(a, 0) {
		return malformed(file, "rope scaling's attention_factor", "above 0", "%g", a)
	}
	switch s.Type {
	case "factors":
		return checkFactors(file, ropeFactors, s.Factors, c)
	case "llama3", "yarn", "dynamic", "longrope":
		if s.OriginalContext < 1 {
			return malformed(file, "rope scaling's original_max_position_embeddings", "1 or more", "%d", s.OriginalContext)
		}
	case "linear":
	default:
		return unsupported(file, "rope scaling", fmt.Sprintf("type %q", s.Type), "linear, dynamic, yarn, longrope or llama3")
	}
	switch {
	case s.Type == "longrope":
		if err := checkFactors(file, "rope scaling's short_factor", s.Factors, c); err != nil {
			return err
		}
		return checkFactors(file, "rope scaling's long_factor", s.LongFactors, c)
	case s.Type == "llama3" && !(s.LowFreqFactor > 0 && s.HighFreqFactor > s.LowFreqFactor):
		return malformed(file, "rope scaling's low_freq_factor and high_freq_factor", "0 < low < high", "low %g, high %g", s.LowFreqFactor, s.HighFreqFactor)
	case s.Type == "yarn" && !(s.BetaSlow > 0 && s.BetaFast > 0 && c.RopeTheta > 1):
		return malformed(file, "rope scaling's beta_fast and beta_slow", "both above 0, and a rope theta above 1", "%g and %g, theta %g", s.BetaFast, s.BetaSlow, c.RopeTheta)
	case s.Type == "dynamic" && c.HeadDim < 4:
		return unsupported(file, "rope scaling", "type dynamic on heads of 2", "heads of 4 or more")
	case !(s.Factor > 0) || math.IsInf(s.Factor, 0):
		return malformed(file, "rope scaling's factor", "above 0", "%g", s.Factor)
	}
	return nil
}

// checkFactors holds divisors of the frequencies against a head.
func checkFactors(file, item string, factors []float64, c Config) error {
	if len(factors) != c.HeadDim/2 {
		return mismatch(file, item, fmt.Sprintf("%d, half a head", c.HeadDim/2), "%d factors", len(factors))
	}
	for i, f := range factors {
		if !(f > 0) || math.IsInf(f, 0) {
			return malformed(file, item, "factors above 0", "factor %d is %g", i, f)
		}
	}
	return nil
}
