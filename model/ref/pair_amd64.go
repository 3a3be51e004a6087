//go:build goexperiment.simd && amd64

package ref

import (
	"unsafe"

	"simd/archsimd"
)

// A pairKernel multiplies two packed rows with a few vectors, xs bytes apart, and
// writes two floats for each, ys bytes apart. Every lane of every sum runs through
// the steps in order.
type pairKernel func(y unsafe.Pointer, ys int, w unsafe.Pointer, steps int, x unsafe.Pointer, xs int)

// tile is how many vectors a pair of rows meets at once: ten sums, two rows and a
// vector fill the fifteen registers that there are.
const tile = 5

var pairKernels = [tile + 1]pairKernel{1: pair1, 2: pair2, 3: pair3, 4: pair4, 5: pair5}

// vecProduct reads each row from memory once: a block of rows that the second-level
// cache holds meets all the vectors, a tile at a time.
func vecProduct(y []float32, ys int, w []float32, steps, pairs int, x []float32, xs, n int) {
	const cache = 128 << 10
	pair := steps * 2 * lanes
	_, _, _ = w[pairs*pair-1], x[(n-1)*xs+steps*lanes-1], y[(n-1)*ys+2*pairs-1]
	block := pairs
	if n > tile {
		block = max(1, cache/(4*pair))
	}
	wp, xp, yp := data(w), data(x), data(y)
	for p := 0; p < pairs; p += block {
		end := min(p+block, pairs)
		for v := 0; v < n; {
			left := (n - v + tile - 1) / tile
			m := (n - v + left - 1) / left
			kernel := pairKernels[m]
			for i := p; i < end; i++ {
				kernel(unsafe.Add(yp, 4*(v*ys+2*i)), 4*ys, unsafe.Add(wp, 4*i*pair), steps, unsafe.Add(xp, 4*v*xs), 4*xs)
			}
			v += m
		}
	}
}

// put writes the sums of two rows for two vectors.
func put(y, z unsafe.Pointer, s archsimd.Float32x4) {
	u := s.AsUint64x2()
	*(*uint64)(y) = u.GetElem(0)
	*(*uint64)(z) = u.GetElem(1)
}

func pair1(y unsafe.Pointer, ys int, w unsafe.Pointer, steps int, x unsafe.Pointer, xs int) {
	var a0, b0 vec
	for o := 0; o < 4*lanes*steps; o += 4 * lanes {
		u, v := load(w, 2*o), load(w, 2*o+32)
		t0 := load(x, o)
		a0, b0 = t0.MulAdd(u, a0), t0.MulAdd(v, b0)
	}
	*(*uint64)(y) = fold(a0, b0, a0, b0).AsUint64x2().GetElem(0)
}

func pair2(y unsafe.Pointer, ys int, w unsafe.Pointer, steps int, x unsafe.Pointer, xs int) {
	var a0, b0, a1, b1 vec
	x1 := unsafe.Add(x, xs)
	for o := 0; o < 4*lanes*steps; o += 4 * lanes {
		u, v := load(w, 2*o), load(w, 2*o+32)
		t0 := load(x, o)
		a0, b0 = t0.MulAdd(u, a0), t0.MulAdd(v, b0)
		t1 := load(x1, o)
		a1, b1 = t1.MulAdd(u, a1), t1.MulAdd(v, b1)
	}
	put(y, unsafe.Add(y, ys), fold(a0, b0, a1, b1))
}

func pair3(y unsafe.Pointer, ys int, w unsafe.Pointer, steps int, x unsafe.Pointer, xs int) {
	var a0, b0, a1, b1, a2, b2 vec
	x1, x2 := unsafe.Add(x, xs), unsafe.Add(x, 2*xs)
	for o := 0; o < 4*lanes*steps; o += 4 * lanes {
		u, v := load(w, 2*o), load(w, 2*o+32)
		t0 := load(x, o)
		a0, b0 = t0.MulAdd(u, a0), t0.MulAdd(v, b0)
		t1 := load(x1, o)
		a1, b1 = t1.MulAdd(u, a1), t1.MulAdd(v, b1)
		t2 := load(x2, o)
		a2, b2 = t2.MulAdd(u, a2), t2.MulAdd(v, b2)
	}
	put(y, unsafe.Add(y, ys), fold(a0, b0, a1, b1))
	*(*uint64)(unsafe.Add(y, 2*ys)) = fold(a2, b2, a2, b2).AsUint64x2().GetElem(0)
}

func pair4(y unsafe.Pointer, ys int, w unsafe.Pointer, steps int, x unsafe.Pointer, xs int) {
	var a0, b0, a1, b1, a2, b2, a3, b3 vec
	x1, x2, x3 := unsafe.Add(x, xs), unsafe.Add(x, 2*xs), unsafe.Add(x, 3*xs)
	for o := 0; o < 4*lanes*steps; o += 4 * lanes {
		u, v := load(w, 2*o), load(w, 2*o+32)
		t0 := load(x, o)
		a0, b0 = t0.MulAdd(u, a0), t0.MulAdd(v, b0)
		t1 := load(x1, o)
		a1, b1 = t1.MulAdd(u, a1), t1.MulAdd(v, b1)
		t2 := load(x2, o)
		a2, b2 = t2.MulAdd(u, a2), t2.MulAdd(v, b2)
		t3 := load(x3, o)
		a3, b3 = t3.MulAdd(u, a3), t3.MulAdd(v, b3)
	}
	put(y, unsafe.Add(y, ys), fold(a0, b0, a1, b1))
	put(unsafe.Add(y, 2*ys), unsafe.Add(y, 3*ys), fold(a2, b2, a3, b3))
}

func pair5(y unsafe.Pointer, ys int, w unsafe.Pointer, steps int, x unsafe.Pointer, xs int) {
	var a0, b0, a1, b1, a2, b2, a3, b3, a4, b4 vec
	x1, x2, x3, x4 := unsafe.Add(x, xs), unsafe.Add(x, 2*xs), unsafe.Add(x, 3*xs), unsafe.Add(x, 4*xs)
	for o := 0; o < 4*lanes*steps; o += 4 * lanes {
		u, v := load(w, 2*o), load(w, 2*o+32)
		t0 := load(x, o)
		a0, b0 = t0.MulAdd(u, a0), t0.MulAdd(v, b0)
		t1 := load(x1, o)
		a1, b1 = t1.MulAdd(u, a1), t1.MulAdd(v, b1)
		t2 := load(x2, o)
		a2, b2 = t2.MulAdd(u, a2), t2.MulAdd(v, b2)
		t3 := load(x3, o)
		a3, b3 = t3.MulAdd(u, a3), t3.MulAdd(v, b3)
		t4 := load(x4, o)
		a4, b4 = t4.MulAdd(u, a4), t4.MulAdd(v, b4)
	}
	put(y, unsafe.Add(y, ys), fold(a0, b0, a1, b1))
	put(unsafe.Add(y, 2*ys), unsafe.Add(y, 3*ys), fold(a2, b2, a3, b3))
	*(*uint64)(unsafe.Add(y, 4*ys)) = fold(a4, b4, a4, b4).AsUint64x2().GetElem(0)
}
