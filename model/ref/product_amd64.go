//go:build goexperiment.simd && amd64

package ref

import (
	"simd/archsimd"
	"unsafe"
)

//go:generate go run pairs_gen.go

// A pairKernel multiplies pairs of packed rows with a few vectors, xs bytes apart,
// and writes two floats of a pair for each vector, ys bytes apart, or adds them to
// what is there. Every lane of every sum runs through the steps in order.
type pairKernel func(y unsafe.Pointer, ys int, add bool, w unsafe.Pointer, steps, pairs int, x unsafe.Pointer, xs int)

// tile is how many vectors a pair of rows meets at once: ten sums, two rows and a
// vector fill the fifteen registers that there are.
const tile = 5

// vecProduct reads each row from memory once: a block of rows that the second-level
// cache holds meets all the vectors, a tile at a time.
func vecProduct(y []float32, ys int, w []float32, steps, panel, pairs int, x []float32, xs, n int) {
	const cache = 128 << 10
	pair := 4 * steps * 2 * lanes // bytes
	_, _, _ = w[pairs*pair/4-1], x[(n-1)*xs+steps*lanes-1], y[(n-1)*ys+2*pairs-1]
	block := pairs
	if n > tile {
		block = max(1, cache/pair/turnPairs) * turnPairs
	}
	wp, xp, yp := data(w), data(x), data(y)
	for p := 0; p < pairs; p += block {
		for v := 0; v < n; {
			left := (n - v + tile - 1) / tile
			m := (n - v + left - 1) / left
			kernel := pairKernels[m]
			for q := p; q < min(p+block, pairs); q += turnPairs {
				some := min(turnPairs, pairs-q)
				for step := 0; step < steps; step += panel {
					at := q*pair + some*step*8*lanes
					kernel(unsafe.Add(yp, 4*(v*ys+2*q)), 4*ys, step > 0, unsafe.Add(wp, at),
						min(panel, steps-step), some, unsafe.Add(xp, 4*(v*xs+step*lanes)), 4*xs)
				}
			}
			v += m
		}
	}
	archsimd.ClearAVXUpperBits()
}

// put writes, or adds, the sums of two rows for two vectors.
func put(y, z unsafe.Pointer, s archsimd.Float32x4, add bool) {
	if add {
		var old archsimd.Uint64x2
		s = old.SetElem(0, *(*uint64)(y)).SetElem(1, *(*uint64)(z)).AsFloat32x4().Add(s)
	}
	u := s.AsUint64x2()
	*(*uint64)(y) = u.GetElem(0)
	*(*uint64)(z) = u.GetElem(1)
}

// putFour does so for four rows and one vector.
func putFour(y unsafe.Pointer, s archsimd.Float32x4, add bool) {
	to := (*[4]float32)(y)
	if add {
		s = archsimd.LoadFloat32x4(to).Add(s)
	}
	s.Store(to)
}

// putLast does so for one vector.
func putLast(y unsafe.Pointer, s archsimd.Float32x4, add bool) {
	var other uint64
	put(y, unsafe.Pointer(&other), s, add)
}
