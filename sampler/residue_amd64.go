//go:build goexperiment.simd && amd64

package sampler

import "simd/archsimd"

// excesses is excessesPlain, to the bit: every operation rounds alike.
func excesses(p, q []float32, np, nq float64) float64 {
	if wide == 0 {
		return excessesPlain(p, q, np, nq)
	}
	scaleP, scaleQ, zero := archsimd.BroadcastFloat64x4(np), archsimd.BroadcastFloat64x4(nq), archsimd.BroadcastFloat64x4(0)
	a, b := zero, zero
	for ; len(p) >= 8 && len(q) >= 8; p, q = p[8:], q[8:] {
		x, y := (*[8]float32)(p), (*[8]float32)(q)
		xa, ya := archsimd.LoadFloat32x4((*[4]float32)(x[0:])).ConvertToFloat64(), archsimd.LoadFloat32x4((*[4]float32)(y[0:])).ConvertToFloat64()
		xb, yb := archsimd.LoadFloat32x4((*[4]float32)(x[4:])).ConvertToFloat64(), archsimd.LoadFloat32x4((*[4]float32)(y[4:])).ConvertToFloat64()
		a = a.Add(xa.Mul(scaleP).Sub(ya.Mul(scaleQ)).Max(zero))
		b = b.Add(xb.Mul(scaleP).Sub(yb.Mul(scaleQ)).Max(zero))
	}
	var lanesA, lanesB [4]float64
	a.Store(&lanesA)
	b.Store(&lanesB)
	archsimd.ClearAVXUpperBits()
	return folded(lanesA, lanesB, p, q, np, nq)
}
