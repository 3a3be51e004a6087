package sampler

import "math"

// The loops over a whole row. Each has one meaning and, where Go has vectors,
// another implementation. Selections are the same; the sum of expSum differs by
// less than 1e-6 of itself, and so do weights. The sum of expInto is of the very
// weights it wrote, in float64.

// maxPlain returns the greatest of x, and false where one is NaN.
func maxPlain(x []float32) (float32, bool) {
	top := x[0]
	for _, v := range x {
		if !(v <= top) {
			if v != v {
				return v, false
			}
			top = v
		}
	}
	return top, top == top
}

// expSumPlain returns the sum of pow2((x-top)*scale).
func expSumPlain(x []float32, top, scale float32) float64 {
	var a, b, c, d float64
	for ; len(x) >= 4; x = x[4:] {
		a += float64(pow2((x[0] - top) * scale))
		b += float64(pow2((x[1] - top) * scale))
		c += float64(pow2((x[2] - top) * scale))
		d += float64(pow2((x[3] - top) * scale))
	}
	for _, v := range x {
		a += float64(pow2((v - top) * scale))
	}
	return (a + b) + (c + d)
}

// massPlain returns bounds of expSumPlain. Weights below 2^faintest are counted
// and not added: of most rows nearly all are, and most cuts are clear all the same.
func massPlain(x []float32, top, scale, faintest float32) (low, high float64) {
	least, faint := top+faintest/scale, 0
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
	return low * (1 - 1e-6), low*(1+1e-6) + float64(faint)*(1+1e-4)*math.Exp2(float64(faintest))
}

// expIntoPlain writes pow2((x-top)*scale) to dst and returns the sum.
func expIntoPlain(dst, x []float32, top, scale float32) float64 {
	sum := 0.0
	for i, v := range x {
		w := pow2((v - top) * scale)
		dst[i] = w
		sum += float64(w)
	}
	return sum
}

// abovePlain writes to dst the indices, from from on, of what in x is not at
// most least (NaN is not), until x or dst ends. It returns how many it wrote and
// where it stopped.
func abovePlain(dst []int32, x []float32, from int, least float32) (n, next int) {
	for i := from; i < len(x); {
		for i+8 <= len(x) { // most rows hold little above
			b := x[i : i+8 : i+8]
			if !(b[0] <= least && b[1] <= least && b[2] <= least && b[3] <= least && b[4] <= least && b[5] <= least && b[6] <= least && b[7] <= least) {
				break
			}
			i += 8
		}
		for end := min(i+8, len(x)); i < end; i++ {
			if x[i] <= least {
				continue
			}
			if n == len(dst) {
				return n, i
			}
			dst[n] = int32(i)
			n++
		}
	}
	return n, len(x)
}

// vectorRoom is what above may need past the last index it writes.
const vectorRoom = 64
