package checkpoint

// The K-quants: blocks of 256 in groups of 32 (Q4_K, Q5_K) or 16 (Q6_K), whose
// own scales are quantised (block_q4_K, block_q5_K, block_q6_K of ggml-common.h).

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
