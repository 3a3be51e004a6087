package capi

import (
	"sync"
	"unsafe"

	"github.com/ebitengine/purego"
)

// MLX says what went wrong to a handler, in the call that fails, and the call
// returns a number. Its own handler ends the process.
var said struct {
	sync.Mutex
	message string
}

var handler = sync.OnceValue(func() uintptr {
	return purego.NewCallback(func(message *byte, _ uintptr) uintptr {
		said.Lock()
		said.message = text(message)
		said.Unlock()
		return 0
	})
})

// An Error is what MLX said of a call.
type Error struct{ Message string }

// Error implements error.
func (e *Error) Error() string { return "mlx: " + e.Message }

// failed is the error of a call that returned rc.
func failed(rc uintptr) error {
	if int32(rc) == 0 {
		return nil
	}
	said.Lock()
	defer said.Unlock()
	e := &Error{said.message}
	said.message = ""
	if e.Message == "" {
		e.Message = "a call failed and said nothing"
	}
	return e
}

// text copies a C string.
func text(p *byte) string {
	if p == nil {
		return ""
	}
	n := 0
	for *(*byte)(unsafe.Add(unsafe.Pointer(p), n)) != 0 {
		n++
	}
	return string(unsafe.Slice(p, n))
}

// pointer is what a C function returned, as a pointer: memory of C, which does not
// move.
func pointer(p uintptr) unsafe.Pointer { return *(*unsafe.Pointer)(unsafe.Pointer(&p)) }
