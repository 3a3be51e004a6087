package ref

// A matrix is the weights of a product. It is all that a forward pass knows of how
// weights are kept.
type matrix interface {
	size() (rows, cols int)
	// product writes rows [from, to) of y = W x for every vector of x, from and to
	// multiples of 16, but for the last row; it may write padding up to one.
	product(y vectors, x input, from, to int)
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

// dense is a matrix of float32. Two rows lie together, eight columns in turn, so
// that a core reads one unbroken stream and every load of a vector serves two
// rows. Wide rows are cut into panels, each a matrix of its own, whose products
// are added in order: the vectors a panel meets stay in the first-level cache.
// Where they do not, the processor no longer fetches the rows ahead, and a product
// takes twice the time.
type dense struct {
	rows, cols int
	panel      int // steps of lanes columns a panel, the last one's may be fewer
	steps      int // of all, padding included
	w          []float32
	k          *kernels
}

// panelSteps is half of a first-level cache of 32 KiB, for five vectors.
const panelSteps = 96

func denseFloats(rows, cols int) int { return (rows + 1) / 2 * 2 * padded(cols) }

// newDense lays a matrix of zeros out in w.
func newDense(rows, cols int, w []float32, k *kernels) *dense {
	steps := padded(cols) / lanes
	panels := (steps + panelSteps - 1) / panelSteps
	return &dense{rows, cols, (steps/4 + panels - 1) / panels * 4, steps, w, k}
}

func (d *dense) size() (rows, cols int) { return d.rows, d.cols }
func (d *dense) bytes() int             { return 4 * len(d.w) }
func (d *dense) blocked() bool          { return false }

// at is where the panel that begins with a step begins, and how many steps it has.
func (d *dense) at(step int) (start, steps int) {
	return (d.rows + 1) / 2 * 2 * lanes * step, min(d.panel, d.steps-step)
}

func (d *dense) product(y vectors, x input, from, to int) {
	for step := 0; step < d.steps; step += d.panel {
		start, steps := d.at(step)
		pair := steps * 2 * lanes
		w := d.w[start+from/2*pair : start+(to+1)/2*pair]
		d.k.product(y.data[from:], y.stride, step > 0, w, steps, (to+1)/2-from/2, x.data[step*lanes:], x.stride, x.n)
	}
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
	for step := 0; step < d.steps; step += d.panel {
		start, steps := d.at(step)
		at := start + i/2*steps*2*lanes + i%2*lanes
		for s := step; s < step+steps && s*lanes < d.cols; s++ {
			f(d.w[at:at+lanes], s*lanes)
			at += 2 * lanes
		}
	}
}
