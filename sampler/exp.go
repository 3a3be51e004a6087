package sampler

import "math"

// floor is the exponent below which a weight is 0: no draw of 24 bits can see
// e^-87, and above it a float32 weight is a normal number.
const floor = -87

// The constants of the exponential function on float32: ln 2 in two parts, so
// that n*ln2 is exact enough, and a polynomial for |r| <= ln(2)/2 (Moshier's
// expf, relative error below 2e-7).
const (
	log2e  = 1.44269504088896341
	ln2hi  = 0.693359375
	ln2lo  = -2.12194440e-4
	expC0  = 1.9875691500e-4
	expC1  = 1.3981999507e-3
	expC2  = 8.3334519073e-3
	expC3  = 4.1665795894e-2
	expC4  = 1.6666665459e-1
	expC5  = 5.0000001201e-1
	rounds = 0x1.8p23 // adding and subtracting it rounds to an integer
)

// exp32 returns e^x for x in [floor, 0], and 0 below. exp32(0) is 1.
func exp32(x float32) float32 {
	if !(x >= floor) {
		return 0
	}
	n := x*log2e + rounds
	n -= rounds
	r := x - n*ln2hi
	r -= n * ln2lo
	y := float32(expC0)
	y = y*r + expC1
	y = y*r + expC2
	y = y*r + expC3
	y = y*r + expC4
	y = y*r + expC5
	y = y*r*r + r + 1
	return math.Float32frombits(math.Float32bits(y) + uint32(int32(n))<<23)
}

// exp64 is exp32 in float64, for the few weights that a sparse support has.
func exp64(x float64) float64 {
	if !(x >= floor) {
		return 0
	}
	return math.Exp(x)
}

// scale is 1/temperature as the float32 kernels take it: finite.
func scale(temperature float32) float32 {
	return float32(min(1/float64(temperature), math.MaxFloat32))
}
