package checkpoint

import (
	"encoding/binary"
	"fmt"
	"math"
)

// The layout is that of the GGUF specification, versions 2 and 3, little-endian:
// magic, version, tensor count, metadata count, metadata, tensor descriptions,
// padding to the alignment, data.

const (
	ggufMinKV     = 8 + 4 + 1         // bytes of the smallest metadata entry
	ggufMinTensor = 8 + 4 + 8 + 4 + 8 // of the smallest tensor description
	ggufMaxDims   = 4
	ggufAlignment = 32 // without general.alignment
)

// A ggufReader walks the header. The first failure stays, and all reads after it
// give zeros.
type ggufReader struct {
	file string
	data []byte
	at   int
	item string // what is being read, for the message
	err  error
}

func (r *ggufReader) left() uint64 { return uint64(len(r.data) - r.at) }

func (r *ggufReader) fail(want, got string, args ...any) {
	if r.err == nil {
		r.err = malformed(r.file, r.item, want, got, args...)
	}
}

// take is the next n bytes, nil when they are not there.
func (r *ggufReader) take(n uint64) []byte {
	if r.err == nil && n > r.left() {
		r.fail(fmt.Sprintf("at most %d, the rest of the file", r.left()), "a length of %d bytes at offset %d", n, r.at)
	}
	if r.err != nil {
		return nil
	}
	b := r.data[r.at : r.at+int(n)]
	r.at += int(n)
	return b
}

// number is the next n bytes, 1, 2, 4 or 8, as a little-endian integer.
func (r *ggufReader) number(n uint64) uint64 {
	var b [8]byte
	copy(b[:], r.take(n))
	return binary.LittleEndian.Uint64(b[:])
}

func (r *ggufReader) text() string { return string(r.take(r.number(8))) }

// count is a number of things of at least size bytes each that the file still holds.
func (r *ggufReader) count(what string, size uint64) int {
	n := r.number(8)
	if r.err == nil && n > r.left()/size {
		r.fail(fmt.Sprintf("at most %d, what the rest of the file can hold", r.left()/size), "%d %s", n, what)
	}
	if r.err != nil {
		return 0
	}
	return int(n)
}

// The types of metadata values, in the specification's order.
const (
	gU8 = iota
	gI8
	gU16
	gI16
	gU32
	gI32
	gF32
	gBool
	gString
	gArray
	gU64
	gI64
	gF64
)

var ggufSizes = [...]uint64{gU8: 1, gI8: 1, gU16: 2, gI16: 2, gU32: 4, gI32: 4, gF32: 4, gBool: 1, gString: 8, gArray: 12, gU64: 8, gI64: 8, gF64: 8}

func (r *ggufReader) integer(typ uint32) int64 {
	n := r.number(ggufSizes[typ])
	switch typ {
	case gI8:
		return int64(int8(n))
	case gI16:
		return int64(int16(n))
	case gI32:
		return int64(int32(n))
	}
	return int64(n)
}

func (r *ggufReader) float(typ uint32) float64 {
	n := r.number(ggufSizes[typ])
	if typ == gF32 {
		return float64(math.Float32frombits(uint32(n)))
	}
	return math.Float64frombits(n)
}

func (r *ggufReader) boolean() bool {
	n := r.number(1)
	if n > 1 {
		r.fail("0 or 1", "a boolean of %d", n)
	}
	return n == 1
}

// value reads a metadata value: see Checkpoint.GGUF.
func (r *ggufReader) value() any {
	switch typ := uint32(r.number(4)); typ {
	case gF32, gF64:
		return r.float(typ)
	case gBool:
		return r.boolean()
	case gString:
		return r.text()
	case gArray:
		return r.array()
	case gU64:
		n := uint64(r.integer(typ))
		if n > math.MaxInt64 {
			return n
		}
		return int64(n)
	case gU8, gI8, gU16, gI16, gU32, gI32, gI64:
		return r.integer(typ)
	default:
		r.fail(fmt.Sprintf("0 to %d", gF64), "a value of type %d", typ)
		return nil
	}
}

func (r *ggufReader) array() any {
	typ := uint32(r.number(4))
	if typ > gF64 || typ == gArray {
		r.fail(fmt.Sprintf("0 to %d, and no array", gF64), "an array of type %d", typ)
		return nil
	}
	n := r.count("elements", ggufSizes[typ])
	switch typ {
	case gF32, gF64:
		return fill(r, n, func() float64 { return r.float(typ) })
	case gBool:
		return fill(r, n, r.boolean)
	case gString:
		return fill(r, n, r.text)
	case gU64:
		return fill(r, n, func() int64 {
			v := r.integer(typ)
			if v < 0 {
				r.fail("at most 2^63-1", "element %d", uint64(v))
			}
			return v
		})
	}
	return fill(r, n, func() int64 { return r.integer(typ) })
}

func fill[T any](r *ggufReader, n int, next func() T) []T {
	s := make([]T, n)
	for i := range s {
		if s[i] = next(); r.err != nil {
			return nil
		}
	}
	return s
}
