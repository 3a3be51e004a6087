package sampler

import "math"

// Where a sum of exponentials is only compared with, bounds of it are often enough, and
// without vectors they cost half as much.

const (
	oneBits = 127 << 23 // of 1 in float32
	// rounding bounds what the exponents lose, which are counted in steps of 2^-23 and
	// have 24 bits, and what the sums of a stretch lose in float32.
	rounding = 3e-5
	stretch  = 256    // whose lines are added in float32
	curveOff = 1.6e-4 // what a line bent by bends is off by
)

// bentLine returns about 2^((v-top)*scale), steps being scale in steps of 2^-23. The bits
// of a float32, read as a number, are its logarithm but for a mantissa that is a line and
// not a curve (Schraudolph, "A Fast, Compact Approximation of the Exponential Function",
// 1999): 1+f for 2^f, which bends mends. Below the smallest normal number it is no more
// than that: what is too low for an int32 becomes the lowest one on every machine that Go
// has floats in hardware for.
func bentLine(v, top, steps float32) float32 {
	i := int32((v-top)*steps + oneBits)
	bits := uint32(i &^ (i >> 31))
	return math.Float32frombits(bits) * bends[bits>>13&1023]
}

// bends is 2^f/(1+f) in 1024 parts of f, each at its middle.
var bends = func() (table [1024]float32) {
	for i := range table {
		f := (float64(i) + .5) / float64(len(table))
		table[i] = float32(math.Exp2(f) / (1 + f))
	}
	return table
}()

// expSumBoundsPlain returns bounds of expSumPlain.
func expSumBoundsPlain(x []float32, top, scale float32) (low, high float64) {
	sum, steps := 0.0, float32(min(float64(scale)*(1<<23), math.MaxFloat32))
	for len(x) > 0 {
		b := x[:min(len(x), stretch)]
		x = x[len(b):]
		var s, t, u, v float32
		for ; len(b) >= 4; b = b[4:] {
			s += bentLine(b[0], top, steps)
			t += bentLine(b[1], top, steps)
			u += bentLine(b[2], top, steps)
			v += bentLine(b[3], top, steps)
		}
		for _, z := range b {
			s += bentLine(z, top, steps)
		}
		sum += float64(s+t) + float64(u+v)
	}
	return sum * (1 - curveOff - rounding), sum * (1 + curveOff + rounding)
}
