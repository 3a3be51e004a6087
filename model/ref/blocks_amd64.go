//go:build goexperiment.simd && amd64

package ref

import "unsafe"

//go:generate go run packed_gen.go packed_gen_steps.go

// A blockKernel adds the products of groups of 16 packed rows with a few vectors to
// floats of y, ys bytes a vector. The vectors' block b is at x + b*xs, 32 bytes a
// vector, and its scales at s + b*ss, 16 bytes a vector.
type blockKernel func(y unsafe.Pointer, ys int, w unsafe.Pointer, groups, blocks int, x unsafe.Pointer, xs int, s unsafe.Pointer, ss int)

// A blockForm is kernels that packed_gen.go wrote with some numbers.
type blockForm struct {
	name    string
	lanes   int // of a register, 4 bytes each
	most    int // vectors that a kernel takes
	panel   int // blocks of packed rows in a panel
	kernels [formats][]blockKernel
}
