package sampler

import "math"

// A weight is 2^t, t at most 0. Below 2^floor it is 0: no draw of 24 bits can
// see it, and above it a float32 weight is a normal number.
const floor = -125

const (
	rounds     = 0x1.8p23 // adding and subtracting it rounds to an integer
	roundsBits = 0x4b400000

	s1 = math.Ln2 / 64 // of 2^(f/64), |f| <= 1/2
	s2 = s1 * s1 / 2
)

// steps is the table of 2^(i/64), for the plain loops: it leaves so little of t
// that two terms are enough.
var steps = func() (table [64]float32) {
	for i := range table {
		table[i] = float32(math.Exp2(float64(i) / 64))
	}
	return table
}()

// pow2 returns 2^t for t in [floor, 0], and 0 below. pow2(0) is 1.
func pow2(t float32) float32 {
	if !(t >= floor) {
		return 0
	}
	x := t*64 + rounds // whose low bits are the nearest integer
	i := int32(math.Float32bits(x) - roundsBits)
	f := t*64 - (x - rounds)
	y := steps[i&63] * (1 + f*(s1+f*s2))
	return math.Float32frombits(math.Float32bits(y) + uint32(i>>6)<<23)
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
