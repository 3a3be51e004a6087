package checkpointtest

import (
	"encoding/binary"
	"math"

	"foretoken/model/checkpoint"
)

// Encode stores values as d, rounding each to the nearest that a block's scale
// allows. The scales are the plain ones (of the largest value, or of the range),
// not llama.cpp's searched ones. len(values) is a multiple of d.Block().
func Encode(d checkpoint.DType, values []float32) []byte {
	n := d.Block()
	if len(values)%n != 0 {
		panic("checkpointtest: values that are no whole blocks of " + d.String())
	}
	b := make([]byte, 0, len(values)/n*d.BlockBytes())
	for ; len(values) > 0; values = values[n:] {
		b = appendBlock(b, d, values[:n])
	}
	return b
}

func appendBlock(b []byte, d checkpoint.DType, v []float32) []byte {
	le := binary.LittleEndian
	switch d {
	case checkpoint.F32:
		return le.AppendUint32(b, math.Float32bits(v[0]))
	case checkpoint.F16:
		return le.AppendUint16(b, Half(v[0]))
	case checkpoint.BF16:
		return le.AppendUint16(b, brain(v[0]))
	case checkpoint.Q8_0:
		q, scale := symmetric(v, 127, 0)
		b = le.AppendUint16(b, scale)
		for _, x := range q {
			b = append(b, byte(int8(x)))
		}
		return b
	case checkpoint.Q4_0:
		q, scale := symmetric(v, 7, 8)
		return appendNibbles(le.AppendUint16(b, scale), q)
	case checkpoint.Q5_0:
		q, scale := symmetric(v, 15, 16)
		return appendNibbles(le.AppendUint32(le.AppendUint16(b, scale), highBits(q)), q)
	case checkpoint.Q4_1:
		q, scale, low := ranged(v, 15)
		return appendNibbles(le.AppendUint16(le.AppendUint16(b, scale), low), q)
	case checkpoint.Q5_1:
		q, scale, low := ranged(v, 31)
		b = le.AppendUint16(le.AppendUint16(b, scale), low)
		return appendNibbles(le.AppendUint32(b, highBits(q)), q)
	case checkpoint.Q4_K, checkpoint.Q5_K:
		return appendSuper(b, d, v)
	case checkpoint.Q6_K:
		return appendQ6(b, v)
	case checkpoint.Q2_K:
		return appendQ2(b, v)
	case checkpoint.Q3_K:
		return appendQ3(b, v)
	case checkpoint.IQ4_NL, checkpoint.IQ4_XS, checkpoint.MXFP4:
		return appendFours(b, d, v)
	}
	panic("checkpointtest: encoding as " + d.String())
}

// symmetric quantises to round(v/scale)+zero with |v/scale| <= top.
func symmetric(v []float32, top, zero int) (q []int, scale uint16) {
	largest := 0.0
	for _, x := range v {
		largest = max(largest, math.Abs(float64(x)))
	}
	scale = Half(float32(largest / float64(top)))
	return nearest(v, value16(scale), 0, -top, top, zero), scale
}

// ranged quantises to round((v-low)/scale), 0 to top.
func ranged(v []float32, top int) (q []int, scale, low uint16) {
	lo, hi := extent(v)
	scale, low = Half((hi-lo)/float32(top)), Half(lo)
	return nearest(v, value16(scale), value16(low), 0, top, 0), scale, low
}

func nearest(v []float32, scale, low float32, least, most, zero int) []int {
	q := make([]int, len(v))
	for i, x := range v {
		if scale != 0 {
			q[i] = int(math.Round(float64((x - low) / scale)))
		}
		q[i] = min(max(q[i], least), most) + zero
	}
	return q
}

func extent(v []float32) (lo, hi float32) {
	lo, hi = v[0], v[0]
	for _, x := range v {
		lo, hi = min(lo, x), max(hi, x)
	}
	return lo, hi
}

// appendNibbles stores the low four bits of 32 values: byte i has i and i+16.
func appendNibbles(b []byte, q []int) []byte {
	for i := range 16 {
		b = append(b, byte(q[i]&15|q[i+16]&15<<4))
	}
	return b
}

func highBits(q []int) (h uint32) {
	for i, x := range q {
		h |= uint32(x>>4&1) << i
	}
	return h
}
