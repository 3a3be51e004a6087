package ref

// A matrix is the weights of a product. It is all that a forward pass knows of how
// weights are kept.
type matrix interface {
	size() (rows, cols int)
	// product writes rows [from, to) of y = W x for every vector of x, from and to
	// multiples of turns, but for the last row; it may write padding up to one.
	product(y vectors, x input, from, to int)
	turn() int     // a multiple of turnRows
	blocked() bool // product reads x's blocks, not its floats
	// row copies a row to dst, of length cols.
	row(i int, dst []float32)
	bytes() int // that a product reads
}

// vectors are n vectors, stride floats apart, zero from their end to padded.
type vectors struct {
	data      []float32
	stride, n int
}

// An input is what products read: vectors, and their blocks where a matrix asked
// for them.
type input struct {
	vectors
	blocks *quantised
}

func newVectors(n, width int) vectors {
	w := padded(width)
	return vectors{make([]float32, n*w), w, n}
}

func (v vectors) at(i int) []float32 { return v.data[i*v.stride:][:v.stride] }

// from is the vectors [i, n).
func (v vectors) from(i int) vectors {
	return vectors{v.data[i*v.stride:], v.stride, v.n - i}
}
