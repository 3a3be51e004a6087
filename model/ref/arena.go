package ref

import "unsafe"

// An arena hands out the memory of weights from a few large allocations.
type arena struct {
	left []float32
	size int // of the last
}

const line = 16 // floats in a cache line

// take returns n zeros that begin on a cache line.
func (a *arena) take(n int) []float32 {
	const least, most = 1 << 18, 1 << 22 // floats
	if lined(n) > len(a.left) {
		a.size = max(min(4*a.size, most), least, lined(n))
		a.left = paged(a.size)
	}
	x := a.left[:n:n]
	a.left = a.left[lined(n):]
	return x
}

// paged allocates zeros that begin on a large page.
func paged(floats int) []float32 {
	const page = 2 << 20 / 4 // floats
	all := make([]float32, floats+page)
	skip := int(-uintptr(unsafe.Pointer(unsafe.SliceData(all)))%(4*page)) / 4
	all = all[skip : skip+floats]
	hugePages(all)
	return all
}

func lined(n int) int { return (n + line - 1) / line * line }
