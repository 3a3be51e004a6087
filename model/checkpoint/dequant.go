package checkpoint

import (
	"encoding/binary"
	"math"
)

// The formats of blocks of 32 are those of ggml-common.h (block_q4_0 and the
// rest); the arithmetic is that of ggml-quants.c's dequantize_row functions. A
// product is rounded (float32(...)) before an addition, so that no compiler fuses
// the two: the values must not depend on the machine.

func readF32(dst []float32, src []byte) {
	for i := range dst {
		dst[i] = math.Float32frombits(binary.LittleEndian.Uint32(src[4*i:]))
	}
}

func readF16(dst []float32, src []byte) {
	for i := range dst {
		dst[i] = half(src[2*i:])
	}
}

func readBF16(dst []float32, src []byte) {
	for i := range dst {
		dst[i] = math.Float32frombits(uint32(binary.LittleEndian.Uint16(src[2*i:])) << 16)
	}
}

// half reads an IEEE binary16.
func half(src []byte) float32 {
	h := uint32(binary.LittleEndian.Uint16(src))
	sign, exp, frac := h&0x8000<<16, h>>10&31, h&0x3ff
	switch exp {
	case 0: // zero and subnormals: frac * 2^-24, exact in float32
		return math.Float32frombits(sign | math.Float32bits(float32(frac)*0x1p-24))
	case 31:
		return math.Float32frombits(sign | 0x7f800000 | frac<<13)
	}
	return math.Float32frombits(sign | (exp+112)<<23 | frac<<13)
}

func readQ4_0(dst []float32, src []byte) {
	for ; len(dst) > 0; dst, src = dst[32:], src[18:] {
		d, q, y := half(src), src[2:18], dst[:32]
		for i, b := range q {
			y[i] = float32(int(b&15)-8) * d
			y[i+16] = float32(int(b>>4)-8) * d
		}
	}
}

func readQ4_1(dst []float32, src []byte) {
	for ; len(dst) > 0; dst, src = dst[32:], src[20:] {
		d, m, q, y := half(src), half(src[2:]), src[4:20], dst[:32]
		for i, b := range q {
			y[i] = float32(float32(b&15)*d) + m
			y[i+16] = float32(float32(b>>4)*d) + m
		}
	}
}

func readQ5_0(dst []float32, src []byte) {
	for ; len(dst) > 0; dst, src = dst[32:], src[22:] {
		d, high, q, y := half(src), binary.LittleEndian.Uint32(src[2:]), src[6:22], dst[:32]
		for i, b := range q {
			lo, hi := uint32(b&15)|high>>i&1<<4, uint32(b>>4)|high>>(i+16)&1<<4
			y[i] = float32(int(lo)-16) * d
			y[i+16] = float32(int(hi)-16) * d
		}
	}
}

func readQ5_1(dst []float32, src []byte) {
	for ; len(dst) > 0; dst, src = dst[32:], src[24:] {
		d, m, high, q, y := half(src), half(src[2:]), binary.LittleEndian.Uint32(src[4:]), src[8:24], dst[:32]
		for i, b := range q {
			lo, hi := uint32(b&15)|high>>i&1<<4, uint32(b>>4)|high>>(i+16)&1<<4
			y[i] = float32(float32(lo)*d) + m
			y[i+16] = float32(float32(hi)*d) + m
		}
	}
}

func readQ8_0(dst []float32, src []byte) {
	for ; len(dst) > 0; dst, src = dst[32:], src[34:] {
		d, q, y := half(src), src[2:34], dst[:32]
		for i, b := range q {
			y[i] = float32(int8(b)) * d
		}
	}
}
