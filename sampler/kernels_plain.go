//go:build !(goexperiment.simd && amd64)

package sampler

func maxOf(x []float32) (float32, bool)                    { return maxPlain(x) }
func expSum(x []float32, top, scale float32) float64       { return expSumPlain(x, top, scale) }
func expInto(dst, x []float32, top, scale float32) float64 { return expIntoPlain(dst, x, top, scale) }
func above(dst []int32, x []float32, from int, least float32) (n, next int) {
	return abovePlain(dst, x, from, least)
}
func mass(x []float32, top, scale, faintest float32) (low, high float64) {
	return massPlain(x, top, scale, faintest)
}

// Kernels names the loops that rows go through on this machine.
func Kernels() string { return "plain" }
