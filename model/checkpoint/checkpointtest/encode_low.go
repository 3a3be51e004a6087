package checkpointtest

import (
	"encoding/binary"
	"math"

	"foretoken/model/checkpoint"
)

// appendQ2 stores 256 values as Q2_K: sixteen groups of 16, each with a scale and a
// minimum of four bits.
func appendQ2(b []byte, v []float32) []byte {
	var scales, mins [16]float32
	var maxScale, maxMin float32
	for j := range scales {
		lo, hi := extent(v[16*j : 16*j+16])
		lo = min(lo, 0)
		scales[j], mins[j] = (hi-lo)/3, -lo
		maxScale, maxMin = max(maxScale, scales[j]), max(maxMin, mins[j])
	}
	d, m := Half(maxScale/15), Half(maxMin/15)
	var packed [16]byte
	var low [64]byte
	for j := range scales {
		sc := nearest(scales[j:j+1], value16(d), 0, 0, 15, 0)[0]
		mn := nearest(mins[j:j+1], value16(m), 0, 0, 15, 0)[0]
		packed[j] = byte(sc | mn<<4)
		for k, q := range nearest(v[16*j:16*j+16], value16(d)*float32(sc), -value16(m)*float32(mn), 0, 3, 0) {
			putTwo(&low, 16*j+k, q)
		}
	}
	b = append(append(b, packed[:]...), low[:]...)
	return binary.LittleEndian.AppendUint16(binary.LittleEndian.AppendUint16(b, d), m)
}

// appendQ3 stores 256 values as Q3_K: sixteen groups of 16 with a scale of six bits.
func appendQ3(b []byte, v []float32) []byte {
	var scales [16]float32
	var largest float32
	for j := range scales {
		lo, hi := extent(v[16*j : 16*j+16])
		scales[j] = max(hi, -lo) / 3
		largest = max(largest, scales[j])
	}
	d := Half(largest / 31)
	var packed [12]byte
	var low [64]byte
	var high [32]byte
	for j := range scales {
		sc := nearest(scales[j:j+1], value16(d), 0, 0, 31, 32)[0]
		packed[j%8] |= byte(sc & 15 << (j / 8 * 4))
		packed[8+j%4] |= byte(sc >> 4 << (j / 4 * 2))
		for k, q := range nearest(v[16*j:16*j+16], value16(d)*float32(sc-32), 0, -4, 3, 4) {
			i := 16*j + k
			putTwo(&low, i, q)
			high[i%32] |= byte(q >> 2 << (i / 32))
		}
	}
	b = append(append(append(b, high[:]...), low[:]...), packed[:]...)
	return binary.LittleEndian.AppendUint16(b, d)
}

// putTwo stores the low two bits of element i of 256.
func putTwo(low *[64]byte, i, q int) { low[i/128*32+i%32] |= byte(q & 3 << (i % 128 / 32 * 2)) }

// appendFours stores 32 values as IQ4_NL or MXFP4, or 256 as IQ4_XS, by the nearest of
// the type's sixteen.
func appendFours(b []byte, d checkpoint.DType, v []float32) []byte {
	values, le := d.FourBits(), binary.LittleEndian
	top := func(v []float32) float32 {
		lo, hi := extent(v)
		return max(hi, -lo)
	}
	switch d {
	case checkpoint.IQ4_NL:
		scale := Half(top(v) / 113)
		return appendNearest(le.AppendUint16(b, scale), v, value16(scale), values)
	case checkpoint.MXFP4:
		e := byte(max(math.Ilogb(float64(top(v)))-2+127, 1))
		return appendNearest(append(b, e), v, checkpoint.MXScale(e), values)
	}
	scale := Half(top(v) / 113 / 31)
	var high uint16
	var low [4]byte
	for j := range 8 {
		sc := nearest([]float32{top(v[32*j:32*j+32]) / 113}, value16(scale), 0, 0, 31, 32)[0]
		high |= uint16(sc>>4) << (2 * j)
		low[j/2] |= byte(sc & 15 << (j % 2 * 4))
	}
	head := append(le.AppendUint16(le.AppendUint16(nil, scale), high), low[:]...)
	b = append(b, head...)
	for j := range 8 {
		b = appendNearest(b, v[32*j:32*j+32], checkpoint.IQ4Scale(head, j), values)
	}
	return b
}

// appendNearest stores each of 32 values as the nearest of sixteen times a scale.
func appendNearest(b []byte, v []float32, scale float32, values *[16]int8) []byte {
	q := make([]int, 32)
	for i, x := range v {
		for j, k := range values {
			if math.Abs(float64(x-scale*float32(k))) < math.Abs(float64(x-scale*float32(values[q[i]]))) {
				q[i] = j
			}
		}
	}
	return appendNibbles(b, q)
}
