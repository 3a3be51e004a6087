//go:build !(goexperiment.simd && amd64)

package sampler

func excesses(p, q []float32, np, nq float64) float64 { return excessesPlain(p, q, np, nq) }
