package ref

import (
	"encoding/binary"
	"math"
	"unsafe"

	"foretoken/model/checkpoint"
)

// A source is a type of a checkpoint's blocks that packs without loss.
type source struct {
	f      format
	unpack unpacker
}

// An unpacker reads block i of 32 columns of a tensor, whose rows are whole blocks:
// each is d*u + m. Where d is not finite, or m, no format holds them.
type unpacker func(t *checkpoint.Tensor, i int, u *[blockCols]byte) (d, m float32)

// sources are the types that are kept as they are. Q2_K, Q3_K and Q6_K are none: their
// scales are of 16 columns.
var sources = map[checkpoint.DType]source{
	checkpoint.Q4_0: {nibbles, unpackQ4_0},
	checkpoint.Q4_1: {nibbles, unpackQ4_1},
	checkpoint.Q5_0: {signedBytes, unpackQ5_0},
	checkpoint.Q5_1: {wideBytes, unpackQ5_1},
	checkpoint.Q8_0: {signedBytes, unpackQ8_0},
	checkpoint.Q4_K: {wideNibbles, unpackQ4_K},
	checkpoint.Q5_K: {wideBytes, unpackQ5_K},

	checkpoint.IQ4_NL: {signedBytes, unpackIQ4_NL},
	checkpoint.IQ4_XS: {wideBytes, unpackIQ4_XS},
	checkpoint.MXFP4:  {wideBytes, unpackMXFP4},
}

func sourceOf(t *checkpoint.Tensor) (s source, ok bool) {
	if t.Type != checkpoint.Affine {
		s, ok = sources[t.Type]
		return s, ok
	}
	switch g := t.Groups; {
	case g.Bits > 4:
		return source{wideBytes, unpackAffine}, true
	case g.Scales.Type == checkpoint.F16:
		return source{nibbles, unpackAffine}, true
	}
	return source{wideNibbles, unpackAffine}, true
}

// formatOf is the format that holds tensors of all types, if there is one.
func formatOf(tensors []checkpoint.Tensor) (f format, ok bool) {
	for i := range tensors {
		s, ok := sourceOf(&tensors[i])
		if !ok {
			return 0, false
		}
		switch {
		case i == 0:
			f = s.f
		case f == s.f:
		case f.words() == 4 && s.f.words() == 4:
			f = wideNibbles
		default:
			f = wideBytes
		}
	}
	return f, len(tensors) > 0
}

// pack fills p with the rows of tensors, one below the other, on all cores. ok is
// false where a scale does not fit p's format.
func (p *packed) pack(tensors []checkpoint.Tensor, pool *pool) (ok bool) {
	const some = 4 // groups an item
	groups := (p.rows + packRows - 1) / packRows
	failed := make([]bool, pool.workers)
	pool.run((groups+some-1)/some, func(worker, item int) {
		for i := item * some; i < min((item+1)*some, groups); i++ {
			if !p.packGroup(i*packRows, tensors) {
				failed[worker] = true
			}
		}
	})
	for _, f := range failed {
		if f {
			return false
		}
	}
	return true
}

func (p *packed) packGroup(at int, tensors []checkpoint.Tensor) bool {
	var u [blockCols]byte
	blocks := p.cols / blockCols
	for lane := range min(packRows, p.rows-at) {
		t, i := below(tensors, at+lane)
		from, _ := sourceOf(t)
		for b := range blocks {
			d, m := from.unpack(t, i*blocks+b, &u)
			if !p.f.put(p.at(at, b), lane, &u, d, m) {
				return false
			}
		}
	}
	return true
}

// below finds row i of tensors one below the other.
func below(tensors []checkpoint.Tensor, i int) (*checkpoint.Tensor, int) {
	for j := range tensors {
		rows, _ := tensors[j].Size()
		if i < rows {
			return &tensors[j], i
		}
		i -= rows
	}
	panic("ref: a row below all tensors")
}

// put writes a row of a block; false where a scale does not fit.
func (f format) put(w []byte, lane int, u *[blockCols]byte, d, m float32) bool {
	le, at := binary.LittleEndian, f.words()*wordRow
	for lane4, j := 4*lane, 0; j < blockCols; j += 8 {
		x, y := le.Uint32(u[j:]), le.Uint32(u[j+4:])
		if f <= wideNibbles {
			le.PutUint32(w[j/8*wordRow+lane4:], x|y<<4)
		} else {
			le.PutUint32(w[j/4*wordRow+lane4:], x)
			le.PutUint32(w[j/4*wordRow+wordRow+lane4:], y)
		}
	}
	a, fits := toHalf(d)
	switch f {
	case nibbles:
		b, too := toHalf(m)
		le.PutUint32(w[at+4*lane:], uint32(a)|uint32(b)<<16)
		return fits && too
	case signedBytes:
		le.PutUint16(w[at+2*lane:], a)
		return fits
	}
	le.PutUint32(w[at+4*lane:], math.Float32bits(d))
	le.PutUint32(w[at+wordRow+4*lane:], math.Float32bits(m))
	return finite(d) && finite(m)
}

func finite(x float32) bool { return x-x == 0 }

// toHalf is x as a float16, if it is one and finite.
func toHalf(x float32) (h uint16, ok bool) {
	bits := math.Float32bits(x / halfScale)
	h = uint16(bits>>16&0x8000 | bits>>13&0x7fff)
	return h, half(h) == x && h&0x7c00 != 0x7c00
}

// fileHalf reads a file's float16; NaN where it is not finite.
func fileHalf(b []byte) float32 {
	h := binary.LittleEndian.Uint16(b)
	if h&0x7c00 == 0x7c00 {
		return float32(math.NaN())
	}
	return half(h)
}

// asBytes is x as the bytes that it lies in.
func asBytes(x []float32) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(x))), 4*len(x))
}
