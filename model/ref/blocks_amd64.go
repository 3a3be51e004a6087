//go:build goexperiment.simd && amd64

package ref

import "unsafe"

//go:generate go run packed_gen.go

// A blockKernel adds the products of groups of 16 packed rows with a few vectors to
// floats of y, ys bytes a vector. The vectors' block b is at q + b*qs, 32 bytes a
// vector, and its scales at s + b*ss, 16 bytes a vector.
type blockKernel func(y unsafe.Pointer, ys int, w unsafe.Pointer, groups, blocks int, q unsafe.Pointer, qs int, s unsafe.Pointer, ss int)

// blockVectors is how many vectors a kernel takes at most.
const blockVectors = 5
