package ref

import (
	"encoding/binary"
	"math"
)

// A packed matrix keeps a checkpoint's own quantised weights and multiplies them as
// integers. 16 rows lie together, so that a core reads one unbroken stream; a word of
// four bytes is of one row, so that a lane of a register is too. Of a turn of rows the
// first blocks come first, a panel of them, so that the vectors' blocks which they meet
// stay in the first-level cache.
//
// Every sum of products within a block is an integer, so exact. Over the blocks of a
// row, in order, y becomes (y + m*f) + (e*s)*d, each operation rounded: d and m are the
// weights' scale and least, s the integer sum, e and f the vector's scale and sum. So
// one row and five, and every set of kernels, give the same bits.
type packed struct {
	rows, cols int
	f          format
	turns      int    // rows that lie together, a multiple of turnRows; products begin and end at one
	panel      int    // blocks
	w          []byte // [turns][panels][groups of 16 rows][panel][f.bytes()]
	k          *kernels
}

// A format is how a block of 16 rows and 32 columns is kept: words of four bytes,
// each of all 16 rows in turn, then the scales. Column 8j+e of a row is the low half
// of byte e of its word j, column 8j+4+e the high half; of 8 bits, column 4j+e is
// byte e of word j. A weight is d*u + m.
type format int

const (
	nibbles     format = iota // u of 4 bits; d and m of a row side by side, float16
	wideNibbles               // u of 4 bits; all d, then all m, float32
	signedBytes               // u of 8 bits; d, float16, and m is -128d
	wideBytes                 // u of 8 bits; all d, then all m, float32
	formats
)

const (
	packRows = 16           // rows that lie together
	wordRow  = 4 * packRows // bytes of word j of all of them
)

func (f format) words() int { return [formats]int{4, 4, 8, 8}[f] }

// bytes is the size of a block of all 16 rows.
func (f format) bytes() int { return [formats]int{320, 384, 544, 640}[f] }

func (f format) String() string {
	return [formats]string{"nibbles", "wide nibbles", "signed bytes", "wide bytes"}[f]
}

func packedBytes(f format, rows, cols int) int {
	return (rows + packRows - 1) / packRows * (cols / blockCols) * f.bytes()
}

func (p *packed) size() (rows, cols int) { return p.rows, p.cols }
func (p *packed) bytes() int             { return len(p.w) }
func (p *packed) blocked() bool          { return true }

// newPacked lays a matrix of zeros out in w, for a number of workers. The more rows
// meet a panel's blocks while they are in the first-level cache, the better.
func newPacked(rows, cols int, f format, w []byte, k *kernels, workers int) *packed {
	const mostTurns = 8
	blocks := cols / blockCols
	panels := (blocks + k.blocks.panel - 1) / k.blocks.panel
	turns := min(max((rows/workers+turnRows-1)/turnRows, 1), mostTurns)
	return &packed{rows, cols, f, turns * turnRows, (blocks + panels - 1) / panels, w, k}
}

// at is the block of 16 rows from row i on, a multiple of 16, and the columns from
// 32*b on.
func (p *packed) at(i, b int) []byte {
	turn := i / p.turns * p.turns
	groups := (min(p.turns, p.rows-turn) + packRows - 1) / packRows
	blocks, first := p.cols/blockCols, b/p.panel*p.panel
	n := turn/packRows*blocks + groups*first + (i-turn)/packRows*min(p.panel, blocks-first) + b - first
	return p.w[n*p.f.bytes():][:p.f.bytes()]
}

func (p *packed) turn() int { return p.turns }

// product takes from and to at multiples of turns, but for the last row. It writes
// to the end of a group, which the padding of y has room for.
func (p *packed) product(y vectors, x input, from, to int) {
	to = (to + packRows - 1) / packRows * packRows
	for v := range y.n {
		clear(y.at(v)[from:to])
	}
	p.k.blocks.product(y, p, from, to, x.blocks)
}

// row gives the very floats that the checkpoint's own reader does.
func (p *packed) row(i int, dst []float32) {
	lane := i % packRows
	for b := 0; len(dst) > 0; dst, b = dst[blockCols:], b+1 {
		w := p.at(i-lane, b)
		d, m := p.f.scales(w, lane)
		for j := range p.f.words() {
			u := binary.LittleEndian.Uint32(w[j*wordRow+4*lane:])
			p.f.values(dst[j*blockCols/p.f.words():], u, d, m)
		}
	}
}

// values writes the columns of a word.
func (f format) values(dst []float32, u uint32, d, m float32) {
	for e := range 4 {
		b := byte(u >> (8 * e))
		switch f {
		case signedBytes:
			dst[e] = float32(int(b)-128) * d
		case wideBytes:
			dst[e] = float32(float32(b)*d) + m
		default:
			dst[e] = float32(float32(b&15)*d) + m
			dst[4+e] = float32(float32(b>>4)*d) + m
		}
	}
}

// scales are those of a block's row.
func (f format) scales(w []byte, lane int) (d, m float32) {
	le, at := binary.LittleEndian, f.words()*wordRow
	switch f {
	case nibbles:
		return half(le.Uint16(w[at+4*lane:])), half(le.Uint16(w[at+4*lane+2:]))
	case signedBytes:
		d = half(le.Uint16(w[at+2*lane:]))
		return d, -128 * d
	}
	return math.Float32frombits(le.Uint32(w[at+4*lane:])), math.Float32frombits(le.Uint32(w[at+wordRow+4*lane:]))
}

// A float16 becomes a float32 by its bits in their places, whose exponent is then 112
// too low, subnormal or not.
const (
	halfBits  = -0x70002000 // sign, exponent and fraction in a float32
	halfScale = 0x1p112
)

// half reads a finite float16.
func half(h uint16) float32 {
	return math.Float32frombits(uint32(int32(uint32(h)<<16)>>3&halfBits)) * halfScale
}
