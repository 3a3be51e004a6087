package sampler

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
// last, which is not above first: how many, of the weights in w, and of the latter the
// indices, in dst. Without branches, which would be guesses.
func splitPlain(dst []int32, z, w []float32, from int, first, last float32) (s split) {
	w = w[:len(z)]
	n, above, i := 0, uint(0), from
	var a, b, c, d float64
	for ; i < len(z)-3; i += 4 {
		v, x := z[i:i+4:i+4], w[i:i+4:i+4]
		o, p, q, r := greater(v[0], first), greater(v[1], first), greater(v[2], first), greater(v[3], first)
		a += float64(x[0] * unit[o&1])
		b += float64(x[1] * unit[p&1])
		c += float64(x[2] * unit[q&1])
		d += float64(x[3] * unit[r&1])
		above += o + p + q + r
		dst[n] = int32(i)
		n += int(atLeast(v[0], last) - o)
		dst[n] = int32(i + 1)
		n += int(atLeast(v[1], last) - p)
		dst[n] = int32(i + 2)
		n += int(atLeast(v[2], last) - q)
		dst[n] = int32(i + 3)
		n += int(atLeast(v[3], last) - r)
	}
	for ; i < len(z); i++ {
		o := greater(z[i], first)
		a += float64(w[i] * unit[o&1])
		above += o
		dst[n] = int32(i)
		n += int(atLeast(z[i], last) - o)
	}
	s.above, s.inside, s.aboveWeight = int(above), n, (a+b)+(c+d)
	for _, i := range dst[:n] {
		s.insideWeight += float64(w[i])
	}
	return s
}

// greater and atLeast are 1 where v is that, and 0 otherwise.
func greater(v, t float32) (one uint) {
	if v > t {
		one = 1
	}
	return one
}

func atLeast(v, t float32) (one uint) {
	if v >= t {
		one = 1
	}
	return one
}

// unit makes a float32 of a 0 or 1.
var unit = [2]float32{0, 1}

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
	i := 0
	for ; i < len(z)-1; i += 2 {
		x, y := w[i]*unit[greater(z[i], least)&1], w[i+1]*unit[greater(z[i+1], least)&1]
		dst[i], dst[i+1] = x, y
		a, b = a+float64(x), b+float64(y)
	}
	if i < len(z) {
		dst[i] = w[i] * unit[greater(z[i], least)&1]
		a += float64(dst[i])
	}
	return a + b
}

// vectorRoom is what above may need past the last index it writes.
const vectorRoom = 64
