package checkpoint

import "cmp"

// readAffine writes rows [from, to) of the matrix to dst, in float32 whatever the
// type of the scales.
func (t Tensor) readAffine(from, to int, dst []float32) error {
	g, b := t.Groups, t.RowBytes()
	_, n := g.Scales.Size()
	scales, biases := make([]float32, n), make([]float32, n)
	for r := from; r < to; r++ {
		if err := cmp.Or(g.Scales.Rows(r, r+1, scales), g.Biases.Rows(r, r+1, biases)); err != nil {
			return err
		}
		src := t.Data[r*b : (r+1)*b]
		for i := range scales {
			y := dst[:g.Size]
			for j := range y {
				q := bitsAt(src, (i*g.Size+j)*g.Bits, g.Bits)
				y[j] = float32(scales[i]*float32(q)) + biases[i]
			}
			dst = dst[g.Size:]
		}
	}
	return nil
}

// bitsAt are n bits, up to 8, from bit at on.
func bitsAt(b []byte, at, n int) byte {
	x := uint(b[at/8])
	if at%8+n > 8 {
		x |= uint(b[at/8+1]) << 8
	}
	return byte(x >> (at % 8) & (1<<n - 1))
}
