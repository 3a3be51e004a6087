package ref

import (
	"encoding/binary"
	"math"
)

// The plain product sums several products of a word with one multiplication: of
// (a0 + a1 z + ..) * (b0 + b1 z + ..) the term of z^k, the highest, has the sum of
// a_i b_(k-i). z is 2^16 for four weights of 4 bits, 2^32 for two of 8. The lower
// terms are signed, so a bias keeps what they borrow from the highest away.
const (
	blockWords  = 24 // of a vector's block: 8 for nibbles, then 16 for bytes
	nibbleMask  = 0x000f_000f_000f_000f
	nibbleBias  = 1<<47 | 1<<31 | 1<<15
	nibbleShift = 48
	byteMask    = 0x0000_00ff_0000_00ff
	byteBias    = 1 << 31
	byteShift   = 32
)

// words packs a block of a vector for the plain product: the words that meet words
// j and j+1 of a row, shifted by 0, 4, 8 and 12 bits or by 0, 8, 16 and 24.
func words(dst *[blockWords]uint64, q *[blockCols]int8) {
	for i := range 8 {
		j, shift := i/4*2, i%4
		c := 8*j + shift%2*4 + shift/2
		dst[i] = uint64(int64(q[c+10]) + int64(q[c+8])<<16 + int64(q[c+2])<<32 + int64(q[c])<<48)
	}
	for i := range 16 {
		c := 8*(i/4) + i%4
		dst[8+i] = uint64(int64(q[c+4]) + int64(q[c])<<32)
	}
}

func plainBlocks(y vectors, p *packed, from, to int, x *quantised) {
	size := p.f.bytes()
	for i := from; i < to; i += packRows {
		w := p.group(i)
		for b := range p.cols / blockCols {
			block := w[b*size:][:size]
			var d, m [packRows]float32
			for r := range packRows {
				d[r], m[r] = p.f.scales(block, r)
			}
			for v := range y.n {
				at := b*x.n + v
				out := (*[packRows]float32)(y.at(v)[i:])
				t := (*[blockWords]uint64)(x.words[at*blockWords:])
				var s [packRows]int32
				if p.f.words() == 4 {
					nibbleSums(&s, block, (*[8]uint64)(t[:]))
				} else {
					byteSums(&s, block, (*[16]uint64)(t[8:]))
				}
				finish(out, &s, p.f, &d, &m, x.scales[at])
			}
		}
	}
}

// finish adds a block's part of 16 rows.
func finish(y *[packRows]float32, s *[packRows]int32, f format, d, m *[packRows]float32, of blockScale) {
	if f == signedBytes {
		for r := range y {
			y[r] = fma(float32(s[r]-of.offset)*of.d, d[r], y[r])
		}
		return
	}
	for r := range y {
		y[r] = fma(float32(s[r])*of.d, d[r], fma(m[r], of.sum, y[r]))
	}
}

// nibbleSums sums 16 rows of four words. A term stays within 16 bits over four
// multiplications: 4*4*15*127 is 30480.
func nibbleSums(s *[packRows]int32, w []byte, x *[8]uint64) {
	le := binary.LittleEndian
	w = w[:4*wordRow]
	for r := range s {
		a := uint64(le.Uint32(w[4*r:])) | uint64(le.Uint32(w[4*r+wordRow:]))<<32
		b := uint64(le.Uint32(w[4*r+2*wordRow:])) | uint64(le.Uint32(w[4*r+3*wordRow:]))<<32
		t := nibbleBias + a&nibbleMask*x[0] + a>>4&nibbleMask*x[1] + a>>8&nibbleMask*x[2] + a>>12&nibbleMask*x[3]
		u := nibbleBias + b&nibbleMask*x[4] + b>>4&nibbleMask*x[5] + b>>8&nibbleMask*x[6] + b>>12&nibbleMask*x[7]
		s[r] = int32(int64(t)>>nibbleShift) + int32(int64(u)>>nibbleShift)
	}
}

// byteSums sums 16 rows of eight words.
func byteSums(s *[packRows]int32, w []byte, x *[16]uint64) {
	le := binary.LittleEndian
	w = w[:8*wordRow]
	for r := range s {
		t := uint64(byteBias)
		for j := 0; j < 4; j++ {
			a := uint64(le.Uint32(w[4*r+2*j*wordRow:])) | uint64(le.Uint32(w[4*r+2*j*wordRow+wordRow:]))<<32
			t += a&byteMask*x[4*j] + a>>8&byteMask*x[4*j+1] + a>>16&byteMask*x[4*j+2] + a>>24&byteMask*x[4*j+3]
		}
		s[r] = int32(int64(t) >> byteShift)
	}
}

// fma is a*b + c, rounded once, as the vector kernels compute it. The product of two
// float32 is exact in float64; their sum is rounded to odd where rounding it twice
// could matter (Boldo and Melquiond 2008).
func fma(a, b, c float32) float32 {
	p, z := float64(a)*float64(b), float64(c)
	s := p + z
	if bits := math.Float64bits(s); bits&(1<<29-1) == 1<<28 || math.Abs(s) < 0x1p-120 {
		return fmaOdd(p, z, s)
	}
	return float32(s)
}

func fmaOdd(p, z, s float64) float32 {
	v := s - p
	rest := (p - (s - v)) + (z - v) // of the sum, exactly: Knuth's two-sum
	if bits := math.Float64bits(s); rest != 0 && bits&1 == 0 {
		if (rest > 0) == (s > 0) {
			bits++
		} else {
			bits--
		}
		s = math.Float64frombits(bits)
	}
	return float32(s)
}
