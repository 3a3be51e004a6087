package ref

import "unsafe"

// An arena is one allocation for all the weights, handed out in cache lines.
type arena struct{ left []float32 }

const line = 16 // floats in a cache line

func newArena(floats int) *arena {
	const page = 2 << 20 / 4 // floats in a huge page
	all := make([]float32, floats+page)
	skip := int(-uintptr(unsafe.Pointer(unsafe.SliceData(all)))%(4*page)) / 4
	all = all[skip : skip+floats]
	hugePages(all)
	return &arena{all}
}

// take returns n zeros that begin on a cache line.
func (a *arena) take(n int) []float32 {
	x := a.left[:n:n]
	a.left = a.left[lined(n):]
	return x
}

func lined(n int) int { return (n + line - 1) / line * line }
