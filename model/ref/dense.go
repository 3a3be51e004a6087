package ref

// dense is a matrix of float32, laid out as a product reads it: one unbroken
// stream. Two rows lie together, eight columns in turn, so that every load of a
// vector serves both. Rows are cut into panels, each a matrix of its own, whose
// products are added in order: where a product walks more than a short part of
// several vectors for every pair of rows, the processor no longer fetches the rows
// ahead, and five vectors take three times the time. Some rows take turns at a
// panel before they come to the next.
type dense struct {
	rows, cols int
	steps      int       // of lanes columns, padding included
	panel      int       // of them; the last panel may have fewer
	w          []float32 // [turns][panels][pairs][panel][2][lanes]
	k          *kernels
}

const (
	turnRows  = 96 // products begin and end at one; a multiple of packRows
	turnPairs = turnRows / 2
)

func denseFloats(rows, cols int) int { return (rows + 1) / 2 * 2 * padded(cols) }

// newDense lays a matrix of zeros out in w.
func newDense(rows, cols int, w []float32, k *kernels) *dense {
	steps := padded(cols) / lanes
	panels := (steps + k.panel - 1) / k.panel
	return &dense{rows, cols, steps, (steps/4 + panels - 1) / panels * 4, w, k}
}

func (d *dense) size() (rows, cols int) { return d.rows, d.cols }
func (d *dense) turn() int              { return turnRows }
func (d *dense) bytes() int             { return 4 * len(d.w) }
func (d *dense) blocked() bool          { return false }

func (d *dense) product(y vectors, x input, from, to int) {
	pair := d.steps * 2 * lanes
	w := d.w[from/2*pair : (to+1)/2*pair]
	d.k.product(y.data[from:], y.stride, w, d.steps, d.panel, (to+1)/2-from/2, x.data, x.stride, x.n)
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
	first := i / turnRows * turnPairs
	pairs := min(turnPairs, (d.rows+1)/2-first)
	for step := 0; step < d.steps; step += d.panel {
		at := first*d.steps + pairs*step + (i/2-first)*min(d.panel, d.steps-step)
		at = at*2*lanes + i%2*lanes
		for s := step; s < min(step+d.panel, d.steps) && s*lanes < d.cols; s++ {
			f(d.w[at:at+lanes], s*lanes)
			at += 2 * lanes
		}
	}
}
