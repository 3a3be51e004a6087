package checkpoint

import (
	"fmt"
	"math"
)

// RopeScaling is Llama 3's frequency-dependent scaling ("llama3"), position
// interpolation ("linear", Chen et al. 2023), or a GGUF's table of what llama3's
// scaling came to ("factors").
type RopeScaling struct {
	Type            string
	Factor          float64
	LowFreqFactor   float64
	HighFreqFactor  float64
	OriginalContext int
	Factors         []float64 // of "factors": [HeadDim/2] divisors of the frequencies
}

// RopeFrequencies returns the [HeadDim/2] angles, in radians a position, that rope
// turns the pairs (i, i+HeadDim/2) of a head by: theta^(-2i/HeadDim), scaled. The
// rule of llama3 is that of Llama 3.1's model card: wavelengths above
// OriginalContext/LowFreqFactor are stretched by Factor, those below
// OriginalContext/HighFreqFactor are left, and between the two it is interpolated.
func (c Config) RopeFrequencies() []float64 {
	freqs := make([]float64, c.HeadDim/2)
	for i := range freqs {
		freqs[i] = math.Pow(c.RopeTheta, -2*float64(i)/float64(c.HeadDim))
	}
	s := c.RopeScaling
	if s == nil {
		return freqs
	}
	for i, f := range freqs {
		switch s.Type {
		case "linear":
			freqs[i] = f / s.Factor
		case "factors":
			freqs[i] = f / s.Factors[i]
		case "llama3":
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

func (s *RopeScaling) check(file string, c Config) error {
	if s == nil {
		return nil
	}
	switch s.Type {
	case "linear":
		return s.checkFactor(file)
	case "factors":
		if len(s.Factors) != c.HeadDim/2 {
			return mismatch(file, "rope_freqs.weight", fmt.Sprintf("%d, half a head", c.HeadDim/2), "%d factors", len(s.Factors))
		}
		for i, f := range s.Factors {
			if !(f > 0) || math.IsInf(f, 0) {
				return malformed(file, "rope_freqs.weight", "factors above 0", "factor %d is %g", i, f)
			}
		}
		return nil
	case "llama3":
		if s.OriginalContext < 1 {
			return malformed(file, "rope scaling's original context", "1 or more", "%d", s.OriginalContext)
		}
		if !(s.LowFreqFactor > 0 && s.HighFreqFactor > s.LowFreqFactor) {
			return malformed(file, "rope scaling's frequency factors", "0 < low < high", "low %g, high %g", s.LowFreqFactor, s.HighFreqFactor)
		}
		return s.checkFactor(file)
	}
	return unsupported(file, "rope scaling", fmt.Sprintf("type %q", s.Type), "llama3 or linear")
}

func (s *RopeScaling) checkFactor(file string) error {
	if !(s.Factor > 0) || math.IsInf(s.Factor, 0) {
		return malformed(file, "rope scaling's factor", "above 0", "%g", s.Factor)
	}
	return nil
}
