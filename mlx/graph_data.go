package mlx

import (
	"fmt"

	"foretoken/mlx/internal/capi"
)

// FromFloats copies data to an array.
func (g *Graph) FromFloats(data []float32, shape ...int) Array {
	if g.err != nil {
		return Array{}
	}
	return g.op(g.e.lib.FromFloats(data, ints(shape)...))
}

// FromBytes copies data, elements of type d, to an array.
func (g *Graph) FromBytes(data []byte, d DType, shape ...int) Array {
	if g.err != nil {
		return Array{}
	}
	return g.op(g.e.lib.FromBytes(data, d, ints(shape)...))
}

// FromInts copies data to an array of int32.
func (g *Graph) FromInts(data []int32, shape ...int) Array {
	if g.err != nil {
		return Array{}
	}
	return g.op(g.e.lib.FromInts(data, ints(shape)...))
}

// FromBools copies data to an array of truth values.
func (g *Graph) FromBools(data []bool, shape ...int) Array {
	b := make([]byte, len(data))
	for i, v := range data {
		if v {
			b[i] = 1
		}
	}
	return g.FromBytes(b, capi.Bool, shape...)
}

// ReadFloats copies an array of len(dst) float32 to dst, computing it first.
func (g *Graph) ReadFloats(dst []float32, a Array) {
	a = g.contiguous(a)
	if g.check(a, len(dst), Float32); g.err == nil {
		copy(dst, g.e.lib.Floats(a.h, len(dst)))
		g.e.read.Add(4 * int64(len(dst)))
	}
}

// ReadIndices copies an array of n indices, computing it first.
func (g *Graph) ReadIndices(n int, a Array) []uint32 {
	a = g.contiguous(a)
	if g.check(a, n, capi.Uint32); g.err != nil {
		return nil
	}
	g.e.read.Add(4 * int64(n))
	return append([]uint32(nil), g.e.lib.Uints(a.h, n)...)
}

// Computed copies n indices of an array that was computed and lies in row-major order.
// It waits for nothing that was begun since.
func (g *Graph) Computed(n int, a Array) []uint32 {
	if g.check(a, n, capi.Uint32); g.err != nil {
		return nil
	}
	g.e.read.Add(4 * int64(n))
	return append([]uint32(nil), g.e.lib.Uints(a.h, n)...)
}

// Contiguous is a in row-major order.
func (g *Graph) Contiguous(a Array) Array { return g.one(g.e.lib.Contiguous, a) }

// contiguous is a in row-major order, evaluated.
func (g *Graph) contiguous(a Array) Array {
	if g.err != nil {
		return a
	}
	a = g.op(g.e.lib.Contiguous(a.h))
	if g.err == nil {
		if err := g.e.lib.Eval(a.h); err != nil {
			g.err = err
		}
	}
	return a
}

// check holds that a has n elements of type d, before memory is read.
func (g *Graph) check(a Array, n int, d DType) {
	if g.err != nil {
		return
	}
	size := 1
	for _, s := range g.e.lib.Shape(a.h) {
		size *= int(s)
	}
	if have := g.e.lib.DType(a.h); size != n || have != d {
		g.Fail(fmt.Errorf("mlx: read %d elements of %v of an array with %d of %v", n, d, size, have))
	}
}

func ints(x []int) []int32 {
	y := make([]int32, len(x))
	for i, v := range x {
		y[i] = int32(v)
	}
	return y
}
