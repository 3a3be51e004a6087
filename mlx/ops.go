package mlx

import "fmt"

// A Linear is a matrix that vectors are multiplied with: W x + bias. A quantised
// one (Scales is not None) has groups of Group columns in Bits bits each.
type Linear struct {
	W              Array // [out, in]; [in, out] where it is dense
	Scales, Biases Array
	Bias           Array // [out], or none
	Group, Bits    int
}

// Quantised says why weights in groups of so many are not multiplied with numbers of a
// type here.
func (e *Engine) Quantised(d DType, group int) error {
	if d == Float32 && group >= 64 && e.is.refuse32 {
		return fmt.Errorf("MLX for CUDA multiplies weights quantised in groups of %d with float32 wrongly: want bfloat16 or float16, as mlx-bf16: or mlx-f16: before the model's name asks for", group)
	}
	return nil
}

// Apply is x [..., in] times l.
func (g *Graph) Apply(l Linear, x Array) Array {
	if g.err != nil {
		return Array{}
	}
	var y Array
	if l.Scales.None() {
		y = g.op(g.e.lib.Matmul(x.h, l.W.h))
	} else {
		y = g.op(g.e.lib.QuantizedMatmul(x.h, l.W.h, l.Scales.h, l.Biases.h, true, l.Group, l.Bits))
	}
	if !l.Bias.None() {
		y = g.Add(y, l.Bias)
	}
	return y
}

// Rows is the rows of a table [n, width] at indices.
func (g *Graph) Rows(table, indices Array) Array {
	if g.err != nil {
		return Array{}
	}
	return g.op(g.e.lib.Take(table.h, indices.h, 0))
}

// Embed is the rows of a matrix [n, width], quantised or not, at indices.
func (g *Graph) Embed(l Linear, indices Array) Array {
	w := g.Rows(l.W, indices)
	if l.Scales.None() {
		return w
	}
	return g.Dequantize(w, g.Rows(l.Scales, indices), g.Rows(l.Biases, indices), l.Group, l.Bits)
}

// Dequantize is the values of a quantised matrix, or of rows of one.
func (g *Graph) Dequantize(w, scales, biases Array, group, bits int) Array {
	if g.err != nil {
		return Array{}
	}
	return g.op(g.e.lib.Dequantize(w.h, scales.h, biases.h, group, bits))
}

// Quantize is a matrix [out, in] in groups of its rows.
func (g *Graph) Quantize(w Array, group, bits int) (q, scales, biases Array) {
	if g.err != nil {
		return
	}
	three, err := g.e.lib.Quantize(w.h, group, bits)
	return g.op(three[0], err), g.op(three[1], err), g.op(three[2], err)
}

// Add is a + b.
func (g *Graph) Add(a, b Array) Array {
	if g.err != nil {
		return Array{}
	}
	return g.op(g.e.lib.Add(a.h, b.h))
}

// SwiGLU is silu(gate) * up: Shazeer 2020.
func (g *Graph) SwiGLU(gate, up Array) Array {
	if g.e.is.fuse {
		return g.Call(g.e.swiglu, gate, up)[0]
	}
	return g.chainedSwiGLU(gate, up)
}

// RMSNorm is x / sqrt(mean x^2 + eps) * weight over the last axis: Zhang and
// Sennrich 2019.
func (g *Graph) RMSNorm(x, weight Array, eps float32) Array {
	if g.err != nil {
		return Array{}
	}
	return g.op(g.e.lib.RMSNorm(x.h, weight.h, eps))
}

// A Rope turns heads by their positions: RoFormer (Su et al. 2021), rotate-half.
type Rope struct {
	Dims    int
	Base    float32
	Scale   float32 // of positions
	Periods Array   // [Dims/2] positions a radian of each pair; none: Base's
}

// Turn is x [..., positions, Dims], the first of them at offset, an int32.
func (g *Graph) Turn(r Rope, x, offset Array) Array {
	if g.err != nil {
		return Array{}
	}
	return g.op(g.e.lib.Rope(x.h, r.Dims, r.Base, r.Scale, offset.h, r.Periods.h))
}

// Attention is softmax(scale q k^T) v: q [1, heads, n, dim] in groups of the heads
// of k and v [1, groups, m, dim]. Where mask [n, m] is none, the last query sees
// every key and each before it one less.
func (g *Graph) Attention(q, k, v Array, scale float32, n int, mask Array) Array {
	if g.err != nil {
		return Array{}
	}
	if few := g.e.is.few; few > 0 && n > few && n <= manyQueries && mask.None() {
		return g.attendByFew(q, k, v, scale, n, few)
	}
	return g.op(g.e.lib.Attention(q.h, k.h, v.h, scale, n > 1, mask.h))
}

// Argmax is the index of the largest entry on the last axis, the lowest on a tie.
func (g *Graph) Argmax(x Array) Array {
	if g.err != nil {
		return Array{}
	}
	return g.op(g.e.lib.Argmax(x.h, -1))
}

// Where is x where condition holds, else y.
func (g *Graph) Where(condition, x, y Array) Array {
	if g.err != nil {
		return Array{}
	}
	return g.op(g.e.lib.Where(condition.h, x.h, y.h))
}
