package ref

import (
	"math"
	"unsafe"
)

// plain is Go and, in the inner loops of products on amd64, SSE's vectors, which give
// the same bits (*_sse_amd64.go). Products are rounded before they are added, by an
// explicit conversion: a compiler that fused one kernel and not another would
// make their sums differ. All of them but product give the bits of the vectors.
var plain = &kernels{
	name: "plain", panel: 96, product: plainProduct, scores: plainScores, softmax: plainSoftmax, mix: plainMix, divide: plainDivide, rotate: plainRotate,
	norm: plainNorm, gate: plainGate, add: plainAdd, best: plainBest, read: plainRead,
	blocks: blockKernels{name: "plain", panel: 9, quantise: plainQuantise, product: plainBlocks},
}

func plainProduct(y []float32, ys int, w []float32, steps, panel, pairs int, x []float32, xs, n int) {
	var s [2 * lanes]float32
	for first := 0; first < pairs; first += turnPairs {
		for step := 0; step < steps; step += panel {
			size := min(panel, steps-step) * 2 * lanes
			for p := first; p < min(first+turnPairs, pairs); p++ {
				for v := range n {
					plainPair(w[:size], x[v*xs+step*lanes:][:size/2], &s)
					a := ((s[0] + s[1]) + (s[2] + s[3])) + ((s[4] + s[5]) + (s[6] + s[7]))
					b := ((s[8] + s[9]) + (s[10] + s[11])) + ((s[12] + s[13]) + (s[14] + s[15]))
					out := (*[2]float32)(y[v*ys+2*p:])
					if step > 0 {
						a, b = out[0]+a, out[1]+b
					}
					out[0], out[1] = a, b
				}
				w = w[size:]
			}
		}
	}
}

// goPair leaves the partial sums of two packed rows: lanes of the first, then of
// the second.
func goPair(w, x []float32, sums *[2 * lanes]float32) {
	var a0, a1, a2, a3, a4, a5, a6, a7, b0, b1, b2, b3, b4, b5, b6, b7 float32
	ws := unsafe.Slice((*[2 * lanes]float32)(w), len(w)/(2*lanes))
	xs := unsafe.Slice((*[lanes]float32)(x), len(x)/lanes)[:len(ws)]
	for i := range ws {
		u, t := &ws[i], &xs[i]
		a0, b0 = a0+float32(u[0]*t[0]), b0+float32(u[8]*t[0])
		a1, b1 = a1+float32(u[1]*t[1]), b1+float32(u[9]*t[1])
		a2, b2 = a2+float32(u[2]*t[2]), b2+float32(u[10]*t[2])
		a3, b3 = a3+float32(u[3]*t[3]), b3+float32(u[11]*t[3])
		a4, b4 = a4+float32(u[4]*t[4]), b4+float32(u[12]*t[4])
		a5, b5 = a5+float32(u[5]*t[5]), b5+float32(u[13]*t[5])
		a6, b6 = a6+float32(u[6]*t[6]), b6+float32(u[14]*t[6])
		a7, b7 = a7+float32(u[7]*t[7]), b7+float32(u[15]*t[7])
	}
	*sums = [2 * lanes]float32{a0, a1, a2, a3, a4, a5, a6, a7, b0, b1, b2, b3, b4, b5, b6, b7}
}

func plainScores(dst, q, k []float32, stride, n int, scale float32) {
	for i := range n {
		dst[i] = plainDot(q, k[i*stride:]) * scale
	}
}

// plainDot has lanes partial sums.
func plainDot(a, b []float32) float32 {
	var s [lanes]float32
	b = b[:len(a)]
	for len(a) >= lanes && len(b) >= lanes {
		u, v := (*[lanes]float32)(a), (*[lanes]float32)(b)
		s[0], s[1] = s[0]+float32(u[0]*v[0]), s[1]+float32(u[1]*v[1])
		s[2], s[3] = s[2]+float32(u[2]*v[2]), s[3]+float32(u[3]*v[3])
		s[4], s[5] = s[4]+float32(u[4]*v[4]), s[5]+float32(u[5]*v[5])
		s[6], s[7] = s[6]+float32(u[6]*v[6]), s[7]+float32(u[7]*v[7])
		a, b = a[lanes:], b[lanes:]
	}
	for i := range a {
		s[i] += float32(a[i] * b[i])
	}
	return plainFold(&s)
}

func plainFold(s *[lanes]float32) float32 {
	return ((s[0] + s[1]) + (s[2] + s[3])) + ((s[4] + s[5]) + (s[6] + s[7]))
}

func plainSoftmax(s []float32) float32 {
	top := s[0]
	for _, v := range s {
		top = max(top, v)
	}
	n := len(s)
	s = s[:(n+lanes-1)/lanes*lanes]
	for i := n; i < len(s); i++ {
		s[i] = -math.MaxFloat32
	}
	var sums [lanes]float32
	for i, v := range s {
		s[i] = plainExp(v - top)
		sums[i%lanes] += s[i]
	}
	return plainFold(&sums)
}

// The numbers of exp: 2^n e^r with |r| <= ln 2 / 2, and e^r by its Taylor series, to
// 2 units in the last place. x is clamped to where the result is normal.
const (
	expLeast, expMost = -87, 88
	ln2High           = 0x1.62ep-1 // few enough bits that n times it is exact
	ln2Low            = math.Ln2 - ln2High
)

var expTerms = [...]float32{1.0 / 5040, 1.0 / 720, 1.0 / 120, 1.0 / 24, 1.0 / 6, 1.0 / 2, 1, 1}

func plainExp(x float32) float32 {
	x = min(max(x, expLeast), expMost)
	const whole = 0x1.8p23 // a float32 that large has no bits below 1
	n := float32(x*math.Log2E) + whole - whole
	r := x + float32(n*-ln2High)
	r += float32(n * -ln2Low)
	e := expTerms[0]
	for _, c := range expTerms[1:] {
		e = float32(e*r) + c
	}
	return e * math.Float32frombits(uint32(int32(n)+127)<<23)
}

func plainMix(dst, p, v []float32, stride, n int) {
	for i := range n {
		w, row, y := p[i], v[i*stride:][:len(dst)], dst
		for len(row) >= lanes && len(y) >= lanes {
			a, b := (*[lanes]float32)(y), (*[lanes]float32)(row)
			a[0], a[1] = a[0]+float32(w*b[0]), a[1]+float32(w*b[1])
			a[2], a[3] = a[2]+float32(w*b[2]), a[3]+float32(w*b[3])
			a[4], a[5] = a[4]+float32(w*b[4]), a[5]+float32(w*b[5])
			a[6], a[7] = a[6]+float32(w*b[6]), a[7]+float32(w*b[7])
			y, row = y[lanes:], row[lanes:]
		}
		for d := range y {
			y[d] += float32(w * row[d])
		}
	}
}

func plainDivide(x []float32, by float32) {
	for i := range x {
		x[i] /= by
	}
}
