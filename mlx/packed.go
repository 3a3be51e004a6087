package mlx

import "math"

// A Packed array is quantised in groups of its last axis.
type Packed struct {
	Q, Scales, Biases Array
	Group, Bits       int
}

// PackedAttention is Attention with quantised k and v. Where n is above 1 it takes a
// mask [n, m]. The steps are those of mlx-lm, whose roundings they share.
func (g *Graph) PackedAttention(q Array, k, v Packed, scale float32, heads, groups, n, dim int, mask Array) Array {
	if g.e.is.unpack {
		return g.Attention(q, g.unpacked(k), g.unpacked(v), scale, n, mask)
	}
	d := g.DType(q)
	q = g.Multiply(q, g.AsType(g.Number(scale), d))
	q = g.Reshape(q, 1, groups, heads/groups, n, dim)
	scores := g.packedProduct(q, k, true)
	if !mask.None() {
		scores = g.Where(mask, scores, g.AsType(g.Number(float32(math.Inf(-1))), d))
	}
	out := g.packedProduct(g.last(g.e.lib.Softmax, scores), v, false)
	return g.Reshape(out, 1, heads, n, dim)
}

// UnpacksCaches reports whether PackedAttention multiplies with the values of what is
// packed: see Options.
func (e *Engine) UnpacksCaches() bool { return e.is.unpack }

func (g *Graph) unpacked(x Packed) Array {
	return g.Dequantize(x.Q, x.Scales, x.Biases, x.Group, x.Bits)
}

// packedProduct is x times y [1, groups, m, dim] or its transpose, for every head of
// a group.
func (g *Graph) packedProduct(x Array, y Packed, transpose bool) Array {
	w, scales, biases := g.forHeads(y.Q), g.forHeads(y.Scales), g.forHeads(y.Biases)
	if g.err != nil {
		return Array{}
	}
	return g.op(g.e.lib.QuantizedMatmul(x.h, w.h, scales.h, biases.h, transpose, y.Group, y.Bits))
}

// forHeads gives x an axis for the heads of a group.
func (g *Graph) forHeads(x Array) Array {
	if g.err != nil {
		return Array{}
	}
	return g.op(g.e.lib.ExpandDims(x.h, -3))
}
