package capi

import (
	"fmt"
	"strings"
	"sync/atomic"
	"unsafe"

	"github.com/ebitengine/purego"
)

// A Lib is a loaded libmlxc and a stream on one device. Its methods, Do, Live and
// Close apart, are called within Do alone.
type Lib struct {
	Path   string
	Device Device
	thread *thread
	t      table
	stream uintptr
	live   atomic.Int64

	// What C reads and writes lies here: in memory of Go's heap, which stays
	// where it is.
	out  [2]Array
	word uintptr
	ints [4][8]int32
}

// A VersionError is a library of another MLX.
type VersionError struct{ Library, Version string }

// Error implements error.
func (e *VersionError) Error() string {
	return fmt.Sprintf("mlx: %s is of MLX %s: want %s, which this program was written for (make mlx)", e.Library, e.Version, Version)
}

// A LoadError is a library that the system does not load.
type LoadError struct {
	Library string
	Err     error // the system's own words
}

// Error implements error.
func (e *LoadError) Error() string {
	why := strings.TrimPrefix(e.Err.Error(), e.Library+": ")
	return fmt.Sprintf("mlx: %s cannot be loaded (%s): want a libmlxc, and its MLX where it was when that was built; 'make mlx' gets both", e.Library, why)
}

// Unwrap returns the cause.
func (e *LoadError) Unwrap() error { return e.Err }

// Open loads the library at path and makes a stream on its GPU where want is nil
// and there is one, else on the device that want names.
func Open(path string, want *Device) (*Lib, error) {
	l := &Lib{Path: path, thread: newThread()}
	var err error
	l.thread.do(func() { err = l.open(want) })
	if err != nil {
		l.thread.close()
		return nil, err
	}
	return l, nil
}

func (l *Lib) open(want *Device) error {
	if err := ownAttention(); err != nil {
		return err
	}
	lib, err := purego.Dlopen(l.Path, purego.RTLD_NOW|purego.RTLD_GLOBAL)
	if err != nil {
		return &LoadError{l.Path, err}
	}
	if err := l.t.bind(lib, l.Path); err != nil {
		return err
	}
	purego.SyscallN(uintptr(l.t.setErrorHandler), handler(), 0, 0)
	version, err := l.version()
	if err != nil {
		return err
	}
	if version != Version {
		return &VersionError{l.Path, version}
	}
	return l.open1(want)
}

func (l *Lib) open1(want *Device) error {
	l.Device = GPU
	if want != nil {
		l.Device = *want
	}
	device := l.word1(l.t.deviceNewType, uintptr(l.Device), 0)
	defer func() { l.word1(l.t.deviceFree, device) }()
	l.word = 0
	if err := failed(l.word1(l.t.deviceIsAvailable, l.at(&l.word), device)); err != nil {
		return err
	}
	if l.word&0xff == 0 {
		if want == nil {
			cpu := CPU
			return l.open1(&cpu)
		}
		return fmt.Errorf("mlx: %s has no device %v", l.Path, l.Device)
	}
	l.stream = l.word1(l.t.streamNewDevice, device)
	if l.stream == 0 {
		return fmt.Errorf("mlx: no stream on the %v: %w", l.Device, failed(1))
	}
	return nil
}

func (l *Lib) version() (string, error) {
	l.word = l.word1(l.t.stringNew)
	defer func() { l.word1(l.t.stringFree, l.word) }()
	if err := failed(l.word1(l.t.version, l.at(&l.word))); err != nil {
		return "", err
	}
	return text((*byte)(pointer(l.word1(l.t.stringData, l.word)))), nil
}

// Do runs f on the library's thread and returns when it has. f must not call Do.
func (l *Lib) Do(f func()) { l.thread.do(f) }

// Live is the number of handles that were made and not freed.
func (l *Lib) Live() int64 { return l.live.Load() }

// Close ends the thread. What was made stays in the library's memory.
func (l *Lib) Close() { l.thread.close() }

func (l *Lib) at(word *uintptr) uintptr { return uintptr(unsafe.Pointer(word)) }

// word1 calls a function of words and returns a word.
//
//go:uintptrescapes
func (l *Lib) word1(f proc, args ...uintptr) uintptr {
	r, _, _ := purego.SyscallN(uintptr(f), args...)
	return r
}

// array calls a function that writes its result to its first argument.
//
//go:uintptrescapes
func (l *Lib) array(f proc, args ...uintptr) (Array, error) {
	l.out[0] = 0
	var all [16]uintptr
	all[0] = uintptr(unsafe.Pointer(&l.out[0]))
	n := copy(all[1:], args)
	rc, _, _ := purego.SyscallN(uintptr(f), all[:n+1]...)
	return l.made(rc)
}

// made is the result that a call left in out.
func (l *Lib) made(rc uintptr) (Array, error) {
	if err := failed(rc); err != nil {
		return 0, err
	}
	l.live.Add(1)
	return l.out[0], nil
}

// list puts numbers where C can read them, in one of four places.
func (l *Lib) list(place int, x []int32) uintptr {
	if len(x) > len(l.ints[place]) {
		panic(fmt.Sprintf("capi: %d numbers: want at most %d", len(x), len(l.ints[place])))
	}
	copy(l.ints[place][:], x)
	return uintptr(unsafe.Pointer(&l.ints[place][0]))
}
