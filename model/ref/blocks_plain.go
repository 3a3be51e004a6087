package ref

import (
	"encoding/binary"
	"math"
)

// plainBlocks is the product on what every processor has.
func plainBlocks(y vectors, p *packed, from, to int, x *quantised) {
	var s [packRows]int32
	var d, m [packRows]float32
	for i := from; i < to; i += packRows {
		for b := range p.cols / blockCols {
			block := p.at(i, b)
			p.f.allScales(block, &d, &m)
			for v := range y.n {
				at := b*x.n + v
				plainSums(&s, p.f, block, x.words[at*blockWords:][:blockWords])
				plainFinish((*[packRows]float32)(y.at(v)[i:]), &s, p.f, &d, &m, x.scales[at])
			}
		}
	}
}

// allScales are those of all rows of a block; m stays 0 where sums are corrected for
// it.
func (f format) allScales(w []byte, d, m *[packRows]float32) {
	le := binary.LittleEndian
	w = w[f.words()*wordRow:]
	switch f {
	case nibbles:
		w := (*[4 * packRows]byte)(w)
		for r := range packRows {
			v := le.Uint32(w[4*r:])
			d[r], m[r] = half(uint16(v)), half(uint16(v>>16))
		}
	case signedBytes:
		w := (*[2 * packRows]byte)(w)
		for r := range packRows {
			d[r] = half(le.Uint16(w[2*r:]))
		}
	default:
		for r := range packRows {
			d[r], m[r] = math.Float32frombits(le.Uint32(w[4*r:])), math.Float32frombits(le.Uint32(w[wordRow+4*r:]))
		}
	}
}

// goFinish adds a block's part of 16 rows.
func goFinish(y *[packRows]float32, s *[packRows]int32, f format, d, m *[packRows]float32, of blockScale) {
	if f == signedBytes {
		for r := range y {
			y[r] += float32(float32(float32(s[r]-of.offset)*of.d) * d[r])
		}
		return
	}
	for r := range y {
		y[r] = float32(y[r]+float32(m[r]*of.sum)) + float32(float32(float32(s[r])*of.d)*d[r])
	}
}
