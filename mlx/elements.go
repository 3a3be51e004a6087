package mlx

import (
	"encoding/binary"

	"foretoken/mlx/internal/capi"
)

// Operations on elements and along the last axis, for choosing among logits.

// Number is an array of one float32, for operations with a whole array.
func (g *Graph) Number(x float32) Array { return g.FromFloats([]float32{x}, 1) }

// Integer is an array of one int32.
func (g *Graph) Integer(n int) Array { return g.FromInts([]int32{int32(n)}, 1) }

// Index is an array of one uint32.
func (g *Graph) Index(i uint32) Array {
	return g.FromBytes(binary.NativeEndian.AppendUint32(nil, i), capi.Uint32, 1)
}

// Flat is a with one axis.
func (g *Graph) Flat(a Array) Array { return g.Reshape(a, -1) }

// Subtract is a - b.
func (g *Graph) Subtract(a, b Array) Array { return g.two(g.e.lib.Subtract, a, b) }

// Multiply is a * b, element by element.
func (g *Graph) Multiply(a, b Array) Array { return g.two(g.e.lib.Multiply, a, b) }

// Divide is a / b, element by element.
func (g *Graph) Divide(a, b Array) Array { return g.two(g.e.lib.Divide, a, b) }

// Minimum is the smaller of a and b.
func (g *Graph) Minimum(a, b Array) Array { return g.two(g.e.lib.Minimum, a, b) }

// Greater is where a > b.
func (g *Graph) Greater(a, b Array) Array { return g.two(g.e.lib.Greater, a, b) }

// AtLeast is where a >= b.
func (g *Graph) AtLeast(a, b Array) Array { return g.two(g.e.lib.GreaterEqual, a, b) }

// Equal is where a == b.
func (g *Graph) Equal(a, b Array) Array { return g.two(g.e.lib.Equal, a, b) }

// And is where a and b hold.
func (g *Graph) And(a, b Array) Array { return g.two(g.e.lib.And, a, b) }

// Or is where a or b holds.
func (g *Graph) Or(a, b Array) Array { return g.two(g.e.lib.Or, a, b) }

// Exp is e to the power of a.
func (g *Graph) Exp(a Array) Array { return g.one(g.e.lib.Exp, a) }

// Negative is -a.
func (g *Graph) Negative(a Array) Array { return g.one(g.e.lib.Negative, a) }

// Max is the largest entry on the last axis, which stays; NaN where there is one.
func (g *Graph) Max(a Array) Array { return g.last(g.e.lib.Max, a) }

// Sum is the sum on the last axis, which stays.
func (g *Graph) Sum(a Array) Array { return g.last(g.e.lib.Sum, a) }

// LogSumExp is the logarithm of the sum of e to the powers on the last axis, which
// stays.
func (g *Graph) LogSumExp(a Array) Array { return g.last(g.e.lib.LogSumExp, a) }

// CumSum is, on the last axis, the sum up to each entry, itself included.
func (g *Graph) CumSum(a Array) Array { return g.last(g.e.lib.CumSum, a) }

// Descending is a sorted on the last axis, the largest first.
func (g *Graph) Descending(a Array) Array {
	return g.Negative(g.last(g.e.lib.Sort, g.Negative(a)))
}

// Count is how many entries of the last axis hold, an int32.
func (g *Graph) Count(condition Array) Array { return g.Sum(g.AsType(condition, capi.Int32)) }

// Put is a vector with values at indices.
func (g *Graph) Put(a, indices, values Array) Array {
	if g.err != nil {
		return Array{}
	}
	return g.op(g.e.lib.PutAlong(a.h, indices.h, values.h, 0))
}

// Indices is 0, 1, ... n-1.
func (g *Graph) Indices(n int) Array {
	if g.err != nil {
		return Array{}
	}
	return g.op(g.e.lib.Arange(n, capi.Uint32))
}

func (g *Graph) one(f func(a handle) (handle, error), a Array) Array {
	if g.err != nil {
		return Array{}
	}
	return g.op(f(a.h))
}

func (g *Graph) two(f func(a, b handle) (handle, error), a, b Array) Array {
	if g.err != nil {
		return Array{}
	}
	return g.op(f(a.h, b.h))
}

func (g *Graph) last(f func(a handle, axis int) (handle, error), a Array) Array {
	if g.err != nil {
		return Array{}
	}
	return g.op(f(a.h, -1))
}
