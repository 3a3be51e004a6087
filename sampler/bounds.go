package sampler

import (
	"math"

	"foretoken/model"
)

// Where a sum of exponentials is only compared with, bounds of it are often enough, and
// without vectors they cost a fraction. They hold for expSum.

// A bounding returns bounds of expSumPlain.
type bounding func(x []float32, top, scale float32) (low, high float64)

// exactly is both bounds at once, where that is cheap.
func exactly(x []float32, top, scale float32) (low, high float64) {
	sum := expSum(x, top, scale)
	return sum, sum
}

// sumsPlain returns the bounds to try for the cut of a ranking at a share of the sum, the
// least work first: by a sample of the row, which may be wrong about that and about
// nothing else.
func sumsPlain(ranked []key, x []float32, top float32, p *model.Plan) []bounding {
	const step = 128
	factor, last := scale(p.FilterTemperature), ranked[len(ranked)-1].logit()
	sampled, faint, sum := 0, 0, 0.0
	for _, k := range ranked {
		sum += float64(pow2((k.logit() - top) * factor))
	}
	for i := 0; i < len(x); i += step {
		w := pow2((x[i] - top) * factor)
		if sampled++; w < 1.0/(1<<faintest) {
			faint++
		}
		if x[i] <= last {
			sum += step * float64(w)
		}
	}
	settles := func(off float64) bool {
		share := float64(p.TopP)
		return prefix(ranked, top, p, 0, share*max(sum-off, 1)) == prefix(ranked, top, p, 0, share*(sum+off))
	}
	switch {
	case 32*faint > 31*sampled && settles(step*float64(faint)/(1<<faintest)):
		return faintFirst
	case settles(lineOff * sum):
		return roughFirst
	}
	return closeOnly
}

var (
	faintFirst = []bounding{mostlyFaint, closely}
	roughFirst = []bounding{roughly, closely}
	closeOnly  = []bounding{closely}
)

// faintest is the exponent below which mostlyFaint counts weights and does not add them.
const faintest = 16

// mostlyFaint is for rows nearly all of whose weights are below 2^-faintest.
func mostlyFaint(x []float32, top, scale float32) (low, high float64) {
	least, faint := top-faintest/scale, 0
	for len(x) >= 8 {
		b := x[:8:8]
		x = x[8:]
		if b[0] < least && b[1] < least && b[2] < least && b[3] < least && b[4] < least && b[5] < least && b[6] < least && b[7] < least {
			faint += 8
			continue
		}
		for _, v := range b {
			if v < least {
				faint++
				continue
			}
			low += float64(pow2((v - top) * scale))
		}
	}
	for _, v := range x {
		if v < least {
			faint++
			continue
		}
		low += float64(pow2((v - top) * scale))
	}
	// An exponent that rounds across the bound is off by a part in 10^6.
	return low * (1 - 1e-6), low*(1+1e-6) + float64(faint)*(1+1e-4)/(1<<faintest)
}

const (
	oneBits = 127 << 23 // of 1 in float32
	// rounding bounds what the exponents lose, which are counted in steps of 2^-23 and
	// have 24 bits, and what the sums of a stretch lose in float32.
	rounding = 3e-5
	stretch  = 256 // whose lines are added in float32
)

// The bits of a float32, read as a number, are its logarithm but for what its mantissa
// is a line and not a curve: 2^f and 1+f differ by up to lineOff (Schraudolph, "A Fast,
// Compact Approximation of the Exponential Function", 1999).
const lineOff = .0615

// line returns the bits of about 2^t, never less: of 2^floor(t) (1 + t-floor(t)). Below
// the smallest normal number they are those of no more than that: what is too low for an
// int32 becomes the lowest one on every machine that Go has floats in hardware for.
func line(v, top, steps float32) uint32 {
	i := int32((v-top)*steps + oneBits)
	return uint32(i &^ (i >> 31))
}

// stepsOf is scale in steps of 2^-23. It is finite.
func stepsOf(scale float32) float32 {
	return float32(min(float64(scale)*(1<<23), math.MaxFloat32))
}

// roughly adds lines.
func roughly(x []float32, top, scale float32) (low, high float64) {
	sum, steps := 0.0, stepsOf(scale)
	for len(x) > 0 {
		b := x[:min(len(x), stretch)]
		x = x[len(b):]
		var s, t, u, v float32
		for ; len(b) >= 4; b = b[4:] {
			s += math.Float32frombits(line(b[0], top, steps))
			t += math.Float32frombits(line(b[1], top, steps))
			u += math.Float32frombits(line(b[2], top, steps))
			v += math.Float32frombits(line(b[3], top, steps))
		}
		for _, z := range b {
			s += math.Float32frombits(line(z, top, steps))
		}
		sum += float64(s+t) + float64(u+v)
	}
	return sum * (1 - lineOff - rounding), sum * (1 + rounding)
}

// curveOff is how far a line bent by bends is off.
const curveOff = 1.6e-4

// bends is 2^f/(1+f) in 1024 parts of f, each at its middle.
var bends = func() (table [1024]float32) {
	for i := range table {
		f := (float64(i) + .5) / float64(len(table))
		table[i] = float32(math.Exp2(f) / (1 + f))
	}
	return table
}()

// closely adds lines that are bent.
func closely(x []float32, top, scale float32) (low, high float64) {
	sum, steps := 0.0, stepsOf(scale)
	for len(x) > 0 {
		b := x[:min(len(x), stretch)]
		x = x[len(b):]
		var s, t, u, v float32
		for ; len(b) >= 4; b = b[4:] {
			i, j, k, l := line(b[0], top, steps), line(b[1], top, steps), line(b[2], top, steps), line(b[3], top, steps)
			s += math.Float32frombits(i) * bends[i>>13&1023]
			t += math.Float32frombits(j) * bends[j>>13&1023]
			u += math.Float32frombits(k) * bends[k>>13&1023]
			v += math.Float32frombits(l) * bends[l>>13&1023]
		}
		for _, z := range b {
			i := line(z, top, steps)
			s += math.Float32frombits(i) * bends[i>>13&1023]
		}
		sum += float64(s+t) + float64(u+v)
	}
	return sum * (1 - curveOff - rounding), sum * (1 + curveOff + rounding)
}
