//go:build !(goexperiment.simd && amd64)

package sampler

func maxOf(x []float32) (float32, bool)                    { return maxPlain(x) }
func expSum(x []float32, top, scale float32) float64       { return expSumPlain(x, top, scale) }
func expInto(dst, x []float32, top, scale float32) float64 { return expIntoPlain(dst, x, top, scale) }
func above(dst []int32, x []float32, from int, least float32) (n, next int) {
	return abovePlain(dst, x, from, least)
}
func splitAt(dst []int32, z, w []float32, first, last float32) split {
	return splitPlain(dst, z, w, 0, first, last)
}
func keep(dst, w, z []float32, least float32) float64 { return keepPlain(dst, w, z, least) }
func expSumBounds(x []float32, top, scale float32) (low, high float64) {
	return expSumBoundsPlain(x, top, scale)
}

// Kernels names the loops that rows go through on this machine.
func Kernels() string { return "plain" }
