package ref

// kernels are the loops that a forward pass spends its time in. Every number they
// write has one order of summation, whatever the count of vectors, so that one row
// and five are the same to the bit. Two sets of kernels differ by rounding in product,
// and in nothing else: there alone a product is not rounded before it is added.
//
// Lengths and strides count floats. Vectors are padded with zeros to a multiple of
// lanes.
type kernels struct {
	name   string
	panel  int // steps of a panel of dense at the most, a multiple of four
	blocks blockKernels

	// product writes y[v][r] = w[r] . x[v] for n vectors x, xs apart, and two rows r a
	// pair, packed as dense says; the vectors y are ys apart.
	product func(y []float32, ys int, w []float32, steps, panel, pairs int, x []float32, xs, n int)

	// scores writes dst[i] = scale * q . k[i] for n keys, stride apart.
	scores func(dst, q, k []float32, stride, n int, scale float32)

	// scores2 and mix2 are scores and mix of two queries that see the same positions;
	// nil where that is not faster.
	scores2 func(dst0, dst1, q0, q1, k []float32, stride, n int, scale float32)
	mix2    func(dst0, dst1, p0, p1, v []float32, stride, n int)

	// softmax replaces s by exp(s - max s) and returns the sum. The array behind s
	// goes on to a multiple of lanes and is scratch there.
	softmax func(s []float32) float32

	// mix adds p[i] * v[i] to dst, for n values in order, stride apart. p can be read
	// three floats past n.
	mix func(dst, p, v []float32, stride, n int)

	divide func(x []float32, by float32)

	// rotate turns the pairs (i, i+half) of a head by the cosines, then sines, of
	// turns: RoFormer (Su et al. 2021) in the rotate-half order.
	rotate func(head, turns []float32)

	// norm writes dst = x / sqrt(mean x^2 + eps) * w, the mean over n. dst may be x.
	norm func(dst, x, w []float32, n int, eps float32)

	// gate replaces g by silu(g) * u.
	gate func(g, u []float32)

	add func(x, y []float32) // x += y

	// read reads x, whose length is a multiple of 4*lanes, as fast as a core can,
	// and returns something of it: what a product is held against.
	read func(x []float32) float32

	// best is the index of the largest of x, the lowest on a tie, -1 when that is
	// NaN.
	best func(x []float32) int
}

// blockKernels are those of packed rows and vectors of int8 blocks. All sets of them
// give the same bits.
type blockKernels struct {
	name  string
	panel int // blocks of a panel of packed at the most

	// quantise writes vector v of b, whose length is a multiple of blockCols.
	quantise func(b *quantised, v int, x []float32)

	// product adds rows [from, to), multiples of packRows, of p x to every y.
	product func(y vectors, p *packed, from, to int, x *quantised)
}

// lanes is the count of partial sums of a product, and what vectors are padded to.
const lanes = 8

// padded is n rounded up to what the products take at a time: four steps of lanes.
func padded(n int) int { return (n + 4*lanes - 1) / (4 * lanes) * (4 * lanes) }

// fastest is the set that this machine runs.
func fastest() *kernels {
	if simd != nil {
		return simd
	}
	return plain
}
