package ref

import (
	"encoding/binary"
	"math"

	"foretoken/model/checkpoint"
)

// The blocks of ggml-common.h, whose values checkpoint reads as floats.

const eachNibble = 0x0f0f_0f0f_0f0f_0f0f

// spreadNibbles writes the low halves of 16 bytes, then the high ones.
func spreadNibbles(u *[blockCols]byte, q []byte) {
	le := binary.LittleEndian
	a, b := le.Uint64(q), le.Uint64(q[8:])
	le.PutUint64(u[0:], a&eachNibble)
	le.PutUint64(u[8:], b&eachNibble)
	le.PutUint64(u[16:], a>>4&eachNibble)
	le.PutUint64(u[24:], b>>4&eachNibble)
}

// addHigh adds bit i of high to u[i] as its fifth.
func addHigh(u *[blockCols]byte, high uint32) {
	for i := range u {
		u[i] |= byte(high>>i&1) << 4
	}
}

func unpackQ4_0(t *checkpoint.Tensor, i int, u *[blockCols]byte) (d, m float32) {
	b := t.Data[18*i:][:18]
	spreadNibbles(u, b[2:])
	d = fileHalf(b)
	return d, -8 * d
}

func unpackQ4_1(t *checkpoint.Tensor, i int, u *[blockCols]byte) (d, m float32) {
	b := t.Data[20*i:][:20]
	spreadNibbles(u, b[4:])
	return fileHalf(b), fileHalf(b[2:])
}

// unpackQ5_0 has u above the 128 that signedBytes takes off.
func unpackQ5_0(t *checkpoint.Tensor, i int, u *[blockCols]byte) (d, m float32) {
	b := t.Data[22*i:][:22]
	spreadNibbles(u, b[6:])
	addHigh(u, binary.LittleEndian.Uint32(b[2:]))
	for i := range u {
		u[i] += 128 - 16
	}
	d = fileHalf(b)
	return d, -128 * d
}

func unpackQ5_1(t *checkpoint.Tensor, i int, u *[blockCols]byte) (d, m float32) {
	b := t.Data[24*i:][:24]
	spreadNibbles(u, b[8:])
	addHigh(u, binary.LittleEndian.Uint32(b[4:]))
	return fileHalf(b), fileHalf(b[2:])
}

func unpackQ8_0(t *checkpoint.Tensor, i int, u *[blockCols]byte) (d, m float32) {
	le, b := binary.LittleEndian, t.Data[34*i:][:34]
	for at := 0; at < blockCols; at += 8 {
		le.PutUint64(u[at:], le.Uint64(b[2+at:])^0x8080_8080_8080_8080) // plus 128 each
	}
	d = fileHalf(b)
	return d, -128 * d
}

// superScales are those of group j of a K-quant's 256 columns: the scale and minimum
// of six bits each, times the block's own.
func superScales(b []byte, j int) (d, m float32) {
	s := b[4:16]
	scale, least := s[j%4], s[j%4+4]
	if j < 4 {
		scale, least = scale&63, least&63
	} else {
		scale, least = s[j+4]&15|scale>>6<<4, s[j+4]>>4|least>>6<<4
	}
	return fileHalf(b) * float32(scale), -(fileHalf(b[2:]) * float32(least))
}

func unpackQ4_K(t *checkpoint.Tensor, i int, u *[blockCols]byte) (d, m float32) {
	b, j := t.Data[144*(i/8):][:144], i%8
	superNibbles(u, b[16:], j)
	return superScales(b, j)
}

func unpackQ5_K(t *checkpoint.Tensor, i int, u *[blockCols]byte) (d, m float32) {
	b, j := t.Data[176*(i/8):][:176], i%8
	superNibbles(u, b[48:], j)
	for i := range u {
		u[i] |= b[16+i] >> j & 1 << 4
	}
	return superScales(b, j)
}

// superNibbles: two groups share 32 bytes.
func superNibbles(u *[blockCols]byte, q []byte, j int) {
	for i := range u {
		u[i] = q[j/2*32+i] >> (j % 2 * 4) & 15
	}
}

// unpackAffine reads MLX's groups of 32 columns or more, whose bits lie in one run.
func unpackAffine(t *checkpoint.Tensor, i int, u *[blockCols]byte) (d, m float32) {
	n := t.Groups.Bits
	b := t.Data[4*n*i:][:4*n]
	switch n {
	case 4:
		for j, x := range b {
			u[2*j], u[2*j+1] = x&15, x>>4
		}
	case 8:
		copy(u[:], b)
	default:
		spreadBits(u, b, n)
	}
	return affineScales(t.Groups, i)
}

// spreadBits writes 32 columns of n bits, fewer than 8 each.
func spreadBits(u *[blockCols]byte, b []byte, n int) {
	var bits, held uint
	for i := range u {
		if held < uint(n) {
			bits, held = bits|uint(b[0])<<held, held+8
			b = b[1:]
		}
		u[i] = byte(bits & (1<<n - 1))
		bits, held = bits>>n, held-uint(n)
	}
}

func affineScales(g *checkpoint.Groups, i int) (d, m float32) {
	at := i * blockCols / g.Size
	return scalar(g.Scales, at), scalar(g.Biases, at)
}

// scalar is element i of a tensor that is not quantised.
func scalar(t checkpoint.Tensor, i int) float32 {
	le := binary.LittleEndian
	switch t.Type {
	case checkpoint.F16:
		return fileHalf(t.Data[2*i:])
	case checkpoint.BF16:
		return math.Float32frombits(uint32(le.Uint16(t.Data[2*i:])) << 16)
	}
	return math.Float32frombits(le.Uint32(t.Data[4*i:]))
}
