package ref

import "math"

// quantised are n vectors for products with packed rows: of every 32 columns the
// nearest int8 multiples of a scale.
type quantised struct {
	n, cols int
	q       []int8       // [block][vector][32]; a kernel reads 12 further
	scales  []blockScale // [block][vector]; a kernel reads one further
	words   []uint64     // [block][vector][blockWords]: q as plainSums wants it
}

// A blockScale is of one block of one vector.
type blockScale struct {
	d      float32 // a column is d * q
	sum    float32 // of the columns: d * the sum of q
	offset int32   // 128 * the sum of q: what signedBytes have too much
	_      int32
}

// blockCols is how many columns share a scale, in vectors and in packed rows.
const blockCols = 32

// negligible is the least largest value of a block that is not taken for zeros: the
// inverse of its scale must be finite.
const negligible = 0x1p-100

// reserve makes room for n vectors.
func (b *quantised) reserve(n, cols int) {
	b.n, b.cols = n, cols
	if k := n * (cols / blockCols); k >= len(b.scales) {
		b.q = make([]int8, k*blockCols+16)
		b.scales = make([]blockScale, k+1)
		b.words = make([]uint64, k*blockWords)
	}
}

// plainQuantise makes blocks of vector v. A block with a value that is no finite
// number has such a scale, and so have the products.
func plainQuantise(b *quantised, v int, x []float32) {
	for i := 0; i < len(x)/blockCols; i++ {
		at := i*b.n + v
		q := (*[blockCols]int8)(b.q[at*blockCols:])
		b.scales[at] = quantiseBlock(q, (*[blockCols]float32)(x[i*blockCols:]))
		plainWords(b.words[at*blockWords:], q)
	}
}

// rest is what rounding took from vector v, which was x: to be rounded in its turn.
func (b *quantised) rest(dst []float32, v int, x []float32) {
	for i := 0; i < b.cols/blockCols; i++ {
		at := i*b.n + v
		q, d := b.q[at*blockCols:][:blockCols], b.scales[at].d
		for c, q := range q {
			dst[i*blockCols+c] = x[i*blockCols+c] - float32(d*float32(q))
		}
	}
}

func quantiseBlock(q *[blockCols]int8, x *[blockCols]float32) blockScale {
	var top uint32 // bits of the largest magnitude: NaN is above all
	for _, f := range x {
		top = max(top, math.Float32bits(f)&^(1<<31))
	}
	largest := math.Float32frombits(top)
	if !(largest >= negligible && largest <= math.MaxFloat32) {
		*q = [blockCols]int8{}
		return emptyScale(largest)
	}
	inverse, sum := 127/largest, int32(0)
	for i, f := range x {
		q[i] = int8(math.RoundToEven(float64(f * inverse)))
		sum += int32(q[i])
	}
	d := largest / 127
	return blockScale{d: d, sum: d * float32(sum), offset: 128 * sum}
}

// emptyScale is of a block that has nothing but zeros in it, or a value that is not
// finite: zero times that is NaN.
func emptyScale(largest float32) blockScale {
	if largest < negligible {
		return blockScale{}
	}
	nan := float32(math.NaN())
	return blockScale{d: nan, sum: nan}
}
