package checkpointtest

import (
	"encoding/binary"
	"math"

	"foretoken/model/checkpoint"
)

// appendSuper stores 256 values as Q4_K or Q5_K: eight groups of 32, each with a
// six-bit scale and a six-bit minimum.
func appendSuper(b []byte, d checkpoint.DType, v []float32) []byte {
	le := binary.LittleEndian
	top := 15
	if d == checkpoint.Q5_K {
		top = 31
	}
	var scales, mins [8]float32
	var maxScale, maxMin float32
	for j := range 8 {
		lo, hi := extent(v[32*j : 32*j+32])
		lo = min(lo, 0)
		scales[j], mins[j] = (hi-lo)/float32(top), -lo
		maxScale, maxMin = max(maxScale, scales[j]), max(maxMin, mins[j])
	}
	d16, m16 := Half(maxScale/63), Half(maxMin/63)
	b = le.AppendUint16(le.AppendUint16(b, d16), m16)
	var packed [12]byte
	var q [256]int
	for j := range 8 {
		sc := nearest(scales[j:j+1], value16(d16), 0, 0, 63, 0)[0]
		mn := nearest(mins[j:j+1], value16(m16), 0, 0, 63, 0)[0]
		if j < 4 {
			packed[j] |= byte(sc)
			packed[j+4] |= byte(mn)
		} else {
			packed[j+4] = byte(sc&15 | mn&15<<4)
			packed[j-4] |= byte(sc >> 4 << 6)
			packed[j] |= byte(mn >> 4 << 6)
		}
		copy(q[32*j:], nearest(v[32*j:32*j+32], value16(d16)*float32(sc), -value16(m16)*float32(mn), 0, top, 0))
	}
	b = append(b, packed[:]...)
	if d == checkpoint.Q5_K {
		for i := range 32 {
			var h int
			for j := range 8 {
				h |= q[32*j+i] >> 4 & 1 << j
			}
			b = append(b, byte(h))
		}
	}
	for j := 0; j < 8; j += 2 {
		for i := range 32 {
			b = append(b, byte(q[32*j+i]&15|q[32*j+32+i]&15<<4))
		}
	}
	return b
}

// appendQ6 stores 256 values as Q6_K: sixteen groups of 16 with an eight-bit scale.
func appendQ6(b []byte, v []float32) []byte {
	var scales [16]float32
	var largest float32
	for j := range scales {
		lo, hi := extent(v[16*j : 16*j+16])
		scales[j] = max(hi, -lo) / 31
		largest = max(largest, scales[j])
	}
	d16 := Half(largest / 127)
	var packed [16]byte
	var low [128]byte
	var high [64]byte
	for j := range scales {
		sc := nearest(scales[j:j+1], value16(d16), 0, 0, 127, 0)[0]
		packed[j] = byte(sc)
		for k, q := range nearest(v[16*j:16*j+16], value16(d16)*float32(sc), 0, -32, 31, 32) {
			i := 16*j + k
			h, run, at := i/128, i%128/32, i%32
			low[64*h+run%2*32+at] |= byte(q & 15 << (run / 2 * 4))
			high[32*h+at] |= byte(q >> 4 << (2 * run))
		}
	}
	b = append(append(append(b, low[:]...), high[:]...), packed[:]...)
	return binary.LittleEndian.AppendUint16(b, d16)
}

// brain is the nearest bfloat16, ties to even.
func brain(x float32) uint16 {
	u := math.Float32bits(x)
	return uint16((u + 0x7fff + u>>16&1) >> 16)
}

// Half is the nearest IEEE binary16, ties to even, of a finite value within its
// range.
func Half(x float32) uint16 {
	u := math.Float32bits(x)
	sign := uint16(u >> 16 & 0x8000)
	a := math.Abs(float64(x))
	exp := max(math.Ilogb(a), -14) // subnormals have the least normal's step
	if a == 0 {
		return sign
	}
	n := math.RoundToEven(math.Ldexp(a, 10-exp)) // in steps of 2^(exp-10)
	if exp == -14 && n < 1024 {
		return sign | uint16(n)
	}
	return sign | uint16(exp+15)<<10 + uint16(n) - 1024
}

func value16(h uint16) float32 {
	var dst [1]float32
	t := checkpoint.Tensor{Type: checkpoint.F16, Shape: []int{1}, Data: []byte{byte(h), byte(h >> 8)}}
	if err := t.Float32(dst[:]); err != nil {
		panic("checkpointtest: " + err.Error())
	}
	return dst[0]
}
