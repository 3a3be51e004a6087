package capi

import (
	"sync"
	"unsafe"

	"github.com/ebitengine/purego"
)

// A Compiled is a function of arrays whose operations MLX has fused.
type Compiled struct {
	closure uintptr
	args    int
	res     uintptr // where C writes the results of a call
}

// traced are the functions that MLX was given, by what it gives back.
var traced struct {
	sync.Mutex
	f []func(res *uintptr, in uintptr) error
}

// tracer calls them, when MLX wants to know what one does.
var tracer = sync.OnceValue(func() uintptr {
	return purego.NewCallback(func(res *uintptr, in, id uintptr) uintptr {
		traced.Lock()
		f := traced.f[id]
		traced.Unlock()
		if f(res, in) != nil {
			return 1
		}
		return 0
	})
})

// Compile gives f, of args arrays, to MLX, which calls it once and fuses what it
// does, whatever the shapes. f frees what it made, but for the result. The Compiled is
// never freed.
func (l *Lib) Compile(args int, f func(in []Array) (Array, error)) (*Compiled, error) {
	trace := func(res *uintptr, in uintptr) error {
		arrays := make([]Array, args)
		defer func() {
			for _, a := range arrays {
				l.Free(a)
			}
		}()
		var err error
		for i := range arrays {
			if arrays[i], err = l.array(l.t.vectorGet, in, uintptr(i)); err != nil {
				return err
			}
		}
		out, err := f(arrays)
		if err != nil {
			return err
		}
		defer l.Free(out)
		return failed(l.word1(l.t.vectorSetValue, uintptr(unsafe.Pointer(res)), uintptr(out)))
	}
	traced.Lock()
	id := len(traced.f)
	traced.f = append(traced.f, trace)
	traced.Unlock()
	plain := l.word1(l.t.closureNew, tracer(), uintptr(id), 0)
	defer func() { l.word1(l.t.closureFree, plain) }()
	c := &Compiled{args: args}
	return c, failed(l.word1(l.t.compile, l.at(&c.closure), plain, 1))
}

// Call is the result of c for arrays.
func (l *Lib) Call(c *Compiled, arrays ...Array) (Array, error) {
	in := l.vector(arrays)
	defer func() { l.word1(l.t.vectorFree, in) }()
	c.res = l.word1(l.t.vectorNew)
	defer func() { l.word1(l.t.vectorFree, c.res) }()
	if err := failed(l.word1(l.t.closureApply, l.at(&c.res), c.closure, in)); err != nil {
		return 0, err
	}
	return l.array(l.t.vectorGet, c.res, 0)
}
