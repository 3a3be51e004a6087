//go:build !amd64

package ref

func plainPair(w, x []float32, sums *[2 * lanes]float32) { goPair(w, x, sums) }
