//go:build !(goexperiment.simd && amd64)

package ref

// simd is nil where Go has no vector types.
var simd *kernels

const withVectors = false

func vecBlocks() []blockKernels { return nil }
