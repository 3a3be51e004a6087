package ref

import (
	"syscall"
	"unsafe"
)

// hugePages asks for few, large pages: a stream through small ones pauses at every
// border. A refusal costs only speed.
func hugePages(x []float32) {
	if len(x) > 0 {
		const advise = 14 // MADV_HUGEPAGE
		_ = syscall.Madvise(unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(x))), 4*len(x)), advise)
	}
}
