package checkpoint

// The K-quants: blocks of 256 in groups of 32 (Q4_K, Q5_K) or 16 (Q2_K, Q3_K, Q6_K),
// whose own scales are quantised (block_q2_K to block_q6_K of ggml-common.h).

// scaleMin unpacks the six-bit scale and minimum of group j, 0 to 7, from the 12
// bytes they share.
func scaleMin(j int, s []byte) (scale, min float32) {
	if j < 4 {
		return float32(s[j] & 63), float32(s[j+4] & 63)
	}
	return float32(s[j+4]&15 | s[j-4]>>6<<4), float32(s[j+4]>>4 | s[j]>>6<<4)
}

func readQ4_K(dst []float32, src []byte) {
	for ; len(dst) > 0; dst, src = dst[256:], src[144:] {
		d, dmin, scales, q := half(src), half(src[2:]), src[4:16], src[16:144]
		for j := 0; j < 8; j++ {
			sc, m := scaleMin(j, scales)
			sc, m = d*sc, dmin*m
			y, shift := dst[32*j:32*j+32], uint(j%2*4)
			for i, b := range q[j/2*32 : j/2*32+32] {
				y[i] = float32(sc*float32(b>>shift&15)) - m
			}
		}
	}
}

func readQ5_K(dst []float32, src []byte) {
	for ; len(dst) > 0; dst, src = dst[256:], src[176:] {
		d, dmin, scales, high, q := half(src), half(src[2:]), src[4:16], src[16:48], src[48:176]
		for j := 0; j < 8; j++ {
			sc, m := scaleMin(j, scales)
			sc, m = d*sc, dmin*m
			y, shift := dst[32*j:32*j+32], uint(j%2*4)
			for i, b := range q[j/2*32 : j/2*32+32] {
				y[i] = float32(sc*float32(b>>shift&15|high[i]>>j&1<<4)) - m
			}
		}
	}
}

func readQ6_K(dst []float32, src []byte) {
	for ; len(dst) > 0; dst, src = dst[256:], src[210:] {
		low, high, scales, d := src[:128], src[128:192], src[192:208], half(src[208:])
		for i := range dst[:256] {
			// Each half of 128 has four runs of 32: low nibbles, low nibbles,
			// high nibbles, high nibbles of two runs of 32 bytes.
			h, run, k := i/128, i%128/32, i%32
			q := low[64*h+run%2*32+k] >> (run / 2 * 4) & 15
			q |= high[32*h+k] >> (2 * run) & 3 << 4
			dst[i] = float32(d*float32(int8(scales[i/16]))) * float32(int(q)-32)
		}
	}
}

func readQ2_K(dst []float32, src []byte) {
	for ; len(dst) > 0; dst, src = dst[256:], src[84:] {
		scales, low, d, dmin := src[:16], src[16:80], half(src[80:]), half(src[82:])
		for i := range dst[:256] {
			sc, m := d*float32(scales[i/16]&15), dmin*float32(scales[i/16]>>4)
			dst[i] = float32(sc*float32(twoBits(low, i))) - m
		}
	}
}

func readQ3_K(dst []float32, src []byte) {
	for ; len(dst) > 0; dst, src = dst[256:], src[110:] {
		high, low, scales, d := src[:32], src[32:96], src[96:108], half(src[108:])
		for i := range dst[:256] {
			q := int(twoBits(low, i)) - 4 // the third bit takes the 4 away
			q += int(high[i%32]>>(i/32)&1) * 4
			dst[i] = float32(d*float32(int(sixBits(scales, i/16))-32)) * float32(q)
		}
	}
}

// twoBits is element i of 256: each half has four runs of 32, at rising bits of the same
// 32 bytes.
func twoBits(low []byte, i int) byte { return low[i/128*32+i%32] >> (i % 128 / 32 * 2) & 3 }

// sixBits is scale j of 16: low nibbles in 8 bytes, high pairs of bits in 4.
func sixBits(s []byte, j int) byte { return s[j%8]>>(j/8*4)&15 | s[8+j%4]>>(j/4*2)&3<<4 }
