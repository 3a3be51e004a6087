package ref

import "foretoken/model/checkpoint"

// The types whose four bits stand for sixteen values, none a multiple of another: they
// are kept as bytes, the least of them at 0 or more.

func spreadFours(u *[blockCols]byte, q []byte, d checkpoint.DType, above int) {
	spreadNibbles(u, q)
	values := d.FourBits()
	for i := range u {
		u[i] = byte(int(values[u[i]]) + above)
	}
}

// unpackIQ4_NL has u above the 128 that signedBytes takes off.
func unpackIQ4_NL(t *checkpoint.Tensor, i int, u *[blockCols]byte) (d, m float32) {
	b := t.Data[18*i:][:18]
	spreadFours(u, b[2:], t.Type, 128)
	d = fileHalf(b)
	return d, -128 * d
}

func unpackIQ4_XS(t *checkpoint.Tensor, i int, u *[blockCols]byte) (d, m float32) {
	b, j := t.Data[136*(i/8):][:136], i%8
	spreadFours(u, b[8+16*j:], t.Type, 128)
	d = checkpoint.IQ4Scale(b, j)
	return d, -128 * d
}

func unpackMXFP4(t *checkpoint.Tensor, i int, u *[blockCols]byte) (d, m float32) {
	b := t.Data[17*i:][:17]
	spreadFours(u, b[1:], t.Type, 12)
	d = checkpoint.MXScale(b[0])
	return d, -12 * d
}
