package checkpoint

import (
	"encoding/binary"
	"math"
)

// Fours are the values that the four bits of IQ4_NL and IQ4_XS stand for, and of MXFP4 in
// halves (E2M1 of the OCP Microscaling specification).
var (
	iq4   = [16]int8{-127, -104, -83, -65, -49, -35, -22, -10, 1, 13, 25, 38, 53, 69, 89, 113}
	e2m1s = [16]int8{0, 1, 2, 3, 4, 6, 8, 12, 0, -1, -2, -3, -4, -6, -8, -12}
)

// FourBits is what the four bits of a type stand for, times a block's scale; nil for a
// type that has no table.
func (d DType) FourBits() *[16]int8 {
	switch d {
	case IQ4_NL, IQ4_XS:
		return &iq4
	case MXFP4:
		return &e2m1s
	}
	return nil
}

// readFours reads 16 bytes as 32 values: the low halves, then the high ones.
func readFours(dst []float32, src []byte, d float32, values *[16]int8) {
	for i, b := range src[:16] {
		dst[i] = d * float32(values[b&15])
		dst[i+16] = d * float32(values[b>>4])
	}
}

func readIQ4_NL(dst []float32, src []byte) {
	for ; len(dst) > 0; dst, src = dst[32:], src[18:] {
		readFours(dst, src[2:], half(src), &iq4)
	}
}

func readMXFP4(dst []float32, src []byte) {
	for ; len(dst) > 0; dst, src = dst[32:], src[17:] {
		readFours(dst, src[1:], MXScale(src[0]), &e2m1s)
	}
}

func readIQ4_XS(dst []float32, src []byte) {
	for ; len(dst) > 0; dst, src = dst[256:], src[136:] {
		for j := range 8 {
			readFours(dst[32*j:], src[8+16*j:], IQ4Scale(src, j), &iq4)
		}
	}
}

// IQ4Scale is the scale of group j of a block of IQ4_XS: the block's own times six bits.
func IQ4Scale(block []byte, j int) float32 {
	high, low := binary.LittleEndian.Uint16(block[2:]), block[4+j/2]
	return half(block) * float32(int(low>>(j%2*4)&15|byte(high>>(2*j))&3<<4)-32)
}

// MXScale is the scale of a block of MXFP4: half of 2^(e-127), since its values are in
// halves.
func MXScale(e byte) float32 { return float32(math.Ldexp(1, int(e)-128)) }
