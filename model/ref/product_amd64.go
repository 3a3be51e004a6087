//go:build goexperiment.simd && amd64

package ref

import (
	"simd/archsimd"
	"unsafe"
)

//go:generate go run pairs_gen.go

// A pairKernel multiplies two packed rows with a few vectors, xs bytes apart, and
// writes two floats for each, ys bytes apart, or adds them to what is there. Every
// lane of every sum runs through the steps in order.
type pairKernel func(y unsafe.Pointer, ys int, add bool, w unsafe.Pointer, steps int, x unsafe.Pointer, xs int)

// tile is how many vectors a pair of rows meets at once: ten sums, two rows and a
// vector fill the fifteen registers that there are.
const tile = 5

// vecProduct reads each row from memory once: a block of rows that the second-level
// cache holds meets all the vectors, a tile at a time.
func vecProduct(y []float32, ys int, add bool, w []float32, steps, pairs int, x []float32, xs, n int) {
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
				kernel(unsafe.Add(yp, 4*(v*ys+2*i)), 4*ys, add, unsafe.Add(wp, 4*i*pair), steps, unsafe.Add(xp, 4*v*xs), 4*xs)
			}
			v += m
		}
	}
}

// put writes, or adds, the sums of two rows for two vectors.
func put(y, z unsafe.Pointer, s archsimd.Float32x4, add bool) {
	if add {
		old := [2]uint64{*(*uint64)(y), *(*uint64)(z)}
		s = archsimd.LoadFloat32x4((*[4]float32)(unsafe.Pointer(&old))).Add(s)
	}
	u := s.AsUint64x2()
	*(*uint64)(y) = u.GetElem(0)
	*(*uint64)(z) = u.GetElem(1)
}

// putLast does so for one vector.
func putLast(y unsafe.Pointer, s archsimd.Float32x4, add bool) {
	var other uint64
	put(y, unsafe.Pointer(&other), s, add)
}
