package ref

import "unsafe"

// plainPair is goPair in the vectors that every amd64 has: scalar loads alone would
// halve the speed. The sums are the same to the bit.
func plainPair(w, x []float32, sums *[2 * lanes]float32) {
	_ = x[len(w)/2-1]
	ssePair(unsafe.SliceData(w), unsafe.SliceData(x), len(w)/(2*lanes), sums)
}

//go:noescape
func ssePair(w, x *float32, steps int, sums *[2 * lanes]float32)
