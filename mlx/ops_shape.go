package mlx

// Heads is x [1, n, heads * dim] as [1, heads, n, dim].
func (g *Graph) Heads(x Array, heads, dim int) Array {
	return g.Swap(g.Reshape(x, 1, -1, heads, dim))
}

// Part is x from start to stop on an axis.
func (g *Graph) Part(x Array, axis, start, stop int) Array {
	if g.err != nil {
		return Array{}
	}
	from, to := make([]int32, 4), g.e.lib.Shape(x.h)
	from[axis], to[axis] = int32(start), int32(stop)
	return g.op(g.e.lib.Slice(x.h, from[:len(to)], to))
}

// Swap exchanges the two axes in the middle.
func (g *Graph) Swap(x Array) Array {
	if g.err != nil {
		return Array{}
	}
	return g.op(g.e.lib.Transpose(x.h, 0, 2, 1, 3))
}

// Transpose is a matrix with rows and columns exchanged.
func (g *Graph) Transpose(x Array) Array {
	if g.err != nil {
		return Array{}
	}
	return g.op(g.e.lib.Transpose(x.h, 1, 0))
}

// Reshape is x with other axes.
func (g *Graph) Reshape(x Array, shape ...int) Array {
	if g.err != nil {
		return Array{}
	}
	return g.op(g.e.lib.Reshape(x.h, ints(shape)...))
}

// Zeros is an array of zeros.
func (g *Graph) Zeros(d DType, shape ...int) Array {
	if g.err != nil {
		return Array{}
	}
	return g.op(g.e.lib.Zeros(d, ints(shape)...))
}

// Slice is the part of x from start to stop on every axis.
func (g *Graph) Slice(x Array, start, stop []int) Array {
	if g.err != nil {
		return Array{}
	}
	return g.op(g.e.lib.Slice(x.h, ints(start), ints(stop)))
}

// Update is x with the part from start to stop replaced: in place, where nothing
// else holds x when it is computed.
func (g *Graph) Update(x, part Array, start, stop []int) Array {
	if g.err != nil {
		return Array{}
	}
	return g.op(g.e.lib.SliceUpdate(x.h, part.h, ints(start), ints(stop)))
}

// Concatenate is arrays one after another on an axis.
func (g *Graph) Concatenate(axis int, arrays ...Array) Array {
	if g.err != nil {
		return Array{}
	}
	handles := make([]handle, len(arrays))
	for i, a := range arrays {
		handles[i] = a.h
	}
	return g.op(g.e.lib.Concatenate(axis, handles...))
}

// AsType is x with elements of another type.
func (g *Graph) AsType(x Array, d DType) Array {
	if g.err != nil {
		return Array{}
	}
	return g.op(g.e.lib.AsType(x.h, d))
}

// DType is the type of x's elements.
func (g *Graph) DType(x Array) DType {
	if g.err != nil || x.None() {
		return 0
	}
	return g.e.lib.DType(x.h)
}
