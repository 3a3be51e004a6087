package ref

import (
	"math"
	"unsafe"
)

func plainRotate(head, turns []float32) {
	half := len(head) / 2
	lo, hi, cos, sin := head[:half], head[half:2*half], turns[:half], turns[half:2*half]
	for i, a := range lo {
		b := hi[i]
		lo[i] = float32(a*cos[i]) - float32(b*sin[i])
		hi[i] = float32(b*cos[i]) + float32(a*sin[i])
	}
}

func plainNorm(dst, x, w []float32, n int, eps float32) {
	var s [2 * lanes]float32
	for i, v := range x {
		s[i%len(s)] += float32(v * v)
	}
	var t [lanes]float32
	for i := range t {
		t[i] = s[i] + s[i+lanes]
	}
	scale := 1 / float32(math.Sqrt(float64(plainFold(&t)/float32(n)+eps)))
	for i := range dst {
		dst[i] = float32(x[i]*scale) * w[i]
	}
}

func plainGate(g, u []float32) {
	for i, v := range g {
		g[i] = float32(v/(plainExp(0-v)+1)) * u[i]
	}
}

func plainAdd(x, y []float32) {
	for i := range x {
		x[i] += y[i]
	}
}

func plainBest(x []float32) int {
	best := 0
	for i, v := range x {
		if v > x[best] || v != v {
			best = i
		}
		if v != v {
			return -1
		}
	}
	return best
}

// plainRead reads two floats at a time, as integers: the widest plain load.
func plainRead(x []float32) float32 {
	w := unsafe.Slice((*uint64)(unsafe.Pointer(unsafe.SliceData(x))), len(x)/2)
	var a, b, c, d uint64
	for len(w) >= 8 {
		u := (*[8]uint64)(w)
		a, b, c, d = a+u[0], b+u[1], c+u[2], d+u[3]
		a, b, c, d = a+u[4], b+u[5], c+u[6], d+u[7]
		w = w[8:]
	}
	return float32(a + b + c + d)
}
