package ref

// A matrix is the weights of a product. It is all that a forward pass knows of how
// weights are kept.
type matrix interface {
	size() (rows, cols int)
	// product writes rows [from, to) of y = W x for every vector of x, from and to
	// even; the last pair may be half padding.
	product(y, x vectors, from, to int)
	// row copies a row to dst, of length cols.
	row(i int, dst []float32)
	bytes() int // that a product reads
}

// vectors are n vectors, stride floats apart, zero from their end to padded.
type vectors struct {
	data      []float32
	stride, n int
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

// dense is a matrix of float32. Two rows lie together, eight columns in turn, so
// that a core reads one unbroken stream and every load of a vector serves two
// rows.
type dense struct {
	rows, cols int
	steps      int // of lanes columns, padding included
	w          []float32
	k          *kernels
}

func denseFloats(rows, cols int) int { return (rows + 1) / 2 * 2 * padded(cols) }

// newDense lays a matrix of zeros out in w.
func newDense(rows, cols int, w []float32, k *kernels) *dense {
	return &dense{rows, cols, padded(cols) / lanes, w, k}
}

func (d *dense) size() (rows, cols int) { return d.rows, d.cols }
func (d *dense) bytes() int             { return 4 * len(d.w) }

func (d *dense) product(y, x vectors, from, to int) {
	pair := d.steps * 2 * lanes
	w := d.w[from/2*pair : (to+1)/2*pair]
	d.k.product(y.data[from:], y.stride, w, d.steps, (to+1)/2-from/2, x.data, x.stride, x.n)
}

func (d *dense) row(i int, dst []float32) {
	d.groups(i, func(g []float32, col int) { copy(dst[col:d.cols], g) })
}

// set stores a row.
func (d *dense) set(i int, src []float32) {
	d.groups(i, func(g []float32, col int) { copy(g, src[col:d.cols]) })
}

// groups calls f with the places of lanes columns of row i, and the first column.
func (d *dense) groups(i int, f func(g []float32, col int)) {
	at := i/2*d.steps*2*lanes + i%2*lanes
	for col := 0; col < d.cols; col += lanes {
		f(d.w[at:at+lanes], col)
		at += 2 * lanes
	}
}
