package llama

import (
	"fmt"
	"slices"

	"foretoken/mlx"
	"foretoken/model/checkpoint"
)

// packed is a matrix that the checkpoint has quantised.
func (l *loader) packed(t checkpoint.Tensor, rows, cols int) mlx.Linear {
	g := t.Groups
	if l.bits != 0 && l.bits != g.Bits {
		l.g.Fail(fmt.Errorf("tensor %s is quantised to %d bits: want one that is not, to quantise it to %d", t.Name, g.Bits, l.bits))
	}
	if !l.has(t, rows, cols) {
		return mlx.Linear{}
	}
	return mlx.Linear{W: l.keep(l.g.FromBytes(t.Data, mlx.Uint32, rows, cols*g.Bits/32)), Scales: l.keep(l.typed(g.Scales)),
		Biases: l.keep(l.typed(g.Biases)), Group: g.Size, Bits: g.Bits}
}

// group is how many columns have a scale and a bias in common, as mlx_lm.convert
// has it.
const group = 64

// product is a matrix of n entries as products take it: a dense one's transpose, a
// view.
func (l *loader) product(y mlx.Linear, n int) mlx.Linear {
	if y.Bits > 0 {
		l.bytes += int64(n)*int64(y.Bits)/8 + 2*l.size(n/y.Group)
		return y
	}
	l.bytes += l.size(n)
	y.W = l.keep(l.g.Transpose(y.W))
	return y
}

func (l *loader) size(n int) int64 {
	if l.dtype == mlx.Float32 {
		return 4 * int64(n)
	}
	return 2 * int64(n)
}

// tensor is a tensor as an array of the model's type, kept.
func (l *loader) tensor(name string, shape ...int) mlx.Array {
	return l.keep(l.array(name, shape...))
}

func (l *loader) array(name string, shape ...int) mlx.Array {
	t, ok := l.ck.Tensors[name]
	if !ok {
		l.g.Fail(fmt.Errorf("no tensor %s: want one of shape %v", name, shape))
	}
	if !l.has(t, shape...) {
		return mlx.Array{}
	}
	return l.typed(t)
}

// has holds t against a shape, and counts its scalars.
func (l *loader) has(t checkpoint.Tensor, shape ...int) bool {
	if !slices.Equal(t.Shape, shape) {
		l.g.Fail(fmt.Errorf("tensor %s has shape %v: want %v", t.Name, t.Shape, shape))
	}
	rows, cols := t.Size()
	l.params += int64(rows) * int64(cols)
	return l.g.Err() == nil
}

// typed is a tensor in the model's type.
func (l *loader) typed(t checkpoint.Tensor) mlx.Array {
	a := l.read(t)
	if l.g.DType(a) != l.dtype {
		a = l.g.AsType(a, l.dtype)
	}
	return a
}

func (l *loader) read(t checkpoint.Tensor) mlx.Array {
	switch t.Type {
	case checkpoint.F32:
		return l.g.FromBytes(t.Data, mlx.Float32, t.Shape...)
	case checkpoint.F16:
		return l.g.FromBytes(t.Data, mlx.Float16, t.Shape...)
	case checkpoint.BF16:
		return l.g.FromBytes(t.Data, mlx.BFloat16, t.Shape...)
	}
	rows, cols := t.Size()
	values := make([]float32, rows*cols)
	if err := t.Float32(values); err != nil {
		l.g.Fail(err)
	}
	return l.g.FromFloats(values, t.Shape...)
}

// drop gives kept arrays back.
func (l *loader) drop(arrays []mlx.Array) {
	l.w.all = slices.DeleteFunc(l.w.all, func(a mlx.Array) bool { return slices.Contains(arrays, a) })
	l.g.Free(arrays...)
}

func (l *loader) keep(a mlx.Array) mlx.Array {
	l.w.all = append(l.w.all, l.g.Keep(a))
	return a
}

// rope gives MLX the theta where it can compute the frequencies itself, as mlx-lm
// does, so that both round alike.
func (l *loader) rope(c checkpoint.Config) mlx.Rope {
	r := mlx.Rope{Dims: c.HeadDim, Base: float32(c.RopeTheta), Scale: 1}
	switch {
	case c.RopeScaling == nil:
	case c.RopeScaling.Type == "linear":
		r.Scale = float32(1 / c.RopeScaling.Factor)
	default:
		periods := make([]float32, c.HeadDim/2)
		for i, f := range c.RopeFrequencies(1) {
			periods[i] = float32(1 / f)
		}
		r.Periods = l.keep(l.g.FromFloats(periods, len(periods)))
	}
	return r
}
