package sampler

import "math"

// A weight is 2^t, t at most 0. Below 2^floor it is 0: no draw of 24 bits can
// see it, and above it a float32 weight is a normal number.
const floor = -125

// 2^f of f in steps of 2^-23 is the product of what its first eleven bits give and what
// its last twelve do: for the plain loops, where two loads are cheaper than terms.
var (
	coarse = func() (bits [2048]uint32) {
		for i := range bits {
			bits[i] = math.Float32bits(float32(math.Exp2(float64(i) / 2048)))
		}
		return bits
	}()
	fine = func() (table [4096]float32) {
		for i := range table {
			table[i] = float32(math.Exp2(float64(i) / (1 << 23)))
		}
		return table
	}()
)

// pow2 returns 2^t for t in [floor, 0], and 0 below. pow2(0) is 1. What is too low for an
// int32 becomes the lowest one on every machine that Go has floats in hardware for.
func pow2(t float32) float32 {
	i := int32(t * (1 << 23))
	dead := uint32((i - floor<<23) >> 31)
	x := (coarse[i>>12&2047] + uint32(i)&0xff800000) &^ dead
	return math.Float32frombits(x) * fine[i&4095]
}

// weight is the weight of logit z beside the best one's, 1, in float64: for the
// few that a sparse support has.
func weight(z, top, temperature float32) float64 {
	x := (float64(z) - float64(top)) / float64(temperature)
	if !(x >= floor*math.Ln2) {
		return 0
	}
	return math.Exp(x)
}

// scale turns differences of logits into exponents of 2. It is finite.
func scale(temperature float32) float32 {
	return float32(min(math.Log2E/float64(temperature), math.MaxFloat32))
}
