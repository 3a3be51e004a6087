package sampler

import "math"

// The loops over a whole row. Each has one meaning and, where Go has vectors,
// another implementation. Selections are the same; the sum of expSum differs by
// less than 1e-6 of itself, and so do weights. The sum of expInto is of the very
// weights it wrote, in float64.

// maxPlain returns the greatest of x, and false where one is NaN.
func maxPlain(x []float32) (float32, bool) {
	top := x[0]
	for len(x) >= 8 {
		b := x[:8:8]
		x = x[8:]
		if b[0] <= top && b[1] <= top && b[2] <= top && b[3] <= top && b[4] <= top && b[5] <= top && b[6] <= top && b[7] <= top {
			continue
		}
		for _, v := range b {
			if v != v {
				return v, false
			}
			top = max(top, v)
		}
	}
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

// expIntoPlain writes pow2((x-top)*scale) to dst and returns the sum.
func expIntoPlain(dst, x []float32, top, scale float32) float64 {
	var a, b, c, d float64
	for ; len(x) >= 4; x, dst = x[4:], dst[4:] {
		y := dst[:4:4]
		y[0], y[1] = pow2((x[0]-top)*scale), pow2((x[1]-top)*scale)
		y[2], y[3] = pow2((x[2]-top)*scale), pow2((x[3]-top)*scale)
		a, b, c, d = a+float64(y[0]), b+float64(y[1]), c+float64(y[2]), d+float64(y[3])
	}
	for i, v := range x {
		dst[i] = pow2((v - top) * scale)
		a += float64(dst[i])
	}
	return (a + b) + (c + d)
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

// splitPlain tells what in z, from from on, is above first, and what else is at least
// last: how many, of the weights in w, and of the latter the indices, in dst.
func splitPlain(dst []int32, z, w []float32, from int, first, last float32) (s split) {
	for i := from; i < len(z); i++ { // without branches: they would be guesses
		v, x := z[i], math.Float32bits(w[i])
		var less, upTo uint32
		if v > first {
			less = 1
		}
		if v >= last {
			upTo = 1
		}
		dst[s.inside] = int32(i)
		s.above, s.inside = s.above+int(less), s.inside+int(upTo&^less)
		s.aboveWeight += float64(math.Float32frombits(x & -less))
		s.insideWeight += float64(math.Float32frombits(x & -(upTo &^ less)))
	}
	return s
}

// A split is what splitPlain tells.
type split struct {
	above, inside             int
	aboveWeight, insideWeight float64
}

// keepPlain writes to dst the weights in w whose logit is above least, and 0 for the
// others, and returns the sum.
func keepPlain(dst, w, z []float32, least float32) float64 {
	w, dst = w[:len(z)], dst[:len(z)]
	var a, b float64
	for i, v := range z {
		var keep uint32
		if v > least {
			keep = 1
		}
		x := math.Float32frombits(math.Float32bits(w[i]) & -keep)
		dst[i] = x
		a, b = b, a+float64(x)
	}
	return a + b
}

// vectorRoom is what above may need past the last index it writes.
const vectorRoom = 64
