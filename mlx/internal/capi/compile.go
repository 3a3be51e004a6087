package capi

import (
	"sync"
	"unsafe"

	"github.com/ebitengine/purego"
)

// A Compiled is a function of arrays whose graph MLX keeps, and has fused where the
// device gains by it.
type Compiled struct {
	closure uintptr
	id      int
	res     uintptr // where C writes the results of a call
	failed  error   // of the function, where MLX says only that it failed
}

// traced are the functions that MLX was given, by what it gives back; nil where one is
// gone.
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

// Compile gives f, of args arrays, to MLX, which calls it once for each of their shapes
// and keeps what it does. f frees what it made, but for the results, of which nothing is
// left to it.
func (l *Lib) Compile(args int, f func(in []Array) ([]Array, error)) (*Compiled, error) {
	c := &Compiled{}
	trace := func(res *uintptr, in uintptr) (err error) {
		arrays := make([]Array, args)
		defer func() {
			l.freeAll(arrays)
			c.failed = err
		}()
		for i := range arrays {
			if arrays[i], err = l.array(l.t.vectorGet, in, uintptr(i)); err != nil {
				return err
			}
		}
		out, err := f(arrays)
		defer l.freeAll(out)
		if err != nil {
			return err
		}
		return failed(l.word1(l.t.vectorSetData, uintptr(unsafe.Pointer(res)), uintptr(unsafe.Pointer(unsafe.SliceData(out))), uintptr(len(out))))
	}
	traced.Lock()
	c.id = len(traced.f)
	traced.f = append(traced.f, trace)
	traced.Unlock()
	plain := l.word1(l.t.closureNew, tracer(), uintptr(c.id), 0)
	rc := uintptr(1)
	if plain != 0 {
		rc = l.word1(l.t.compile, l.at(&c.closure), plain, 0)
		l.word1(l.t.closureFree, plain)
	}
	if err := failed(rc); err != nil {
		c.drop()
		return nil, err
	}
	return c, nil
}

// drop forgets the function.
func (c *Compiled) drop() {
	traced.Lock()
	traced.f[c.id] = nil
	traced.Unlock()
}

func (l *Lib) freeAll(arrays []Array) {
	for _, a := range arrays {
		l.Free(a)
	}
}

// Call fills out with the results of c for arrays.
func (l *Lib) Call(c *Compiled, arrays, out []Array) error {
	clear(out)
	in, err := l.vector(arrays)
	if err != nil {
		return err
	}
	c.res = l.word1(l.t.vectorNew)
	err = failed(l.word1(l.t.closureApply, l.at(&c.res), c.closure, in))
	if err != nil && c.failed != nil {
		err, c.failed = c.failed, nil
	}
	for i := range out {
		if err == nil {
			out[i], err = l.array(l.t.vectorGet, c.res, uintptr(i))
		}
	}
	l.word1(l.t.vectorFree, in)
	l.word1(l.t.vectorFree, c.res)
	if err != nil {
		l.freeAll(out)
		clear(out)
	}
	return err
}

// Forget gives c back, with what MLX keeps of it.
func (l *Lib) Forget(c *Compiled) {
	l.word1(l.t.closureFree, c.closure)
	c.drop()
}

// FuseCompiled says whether chains of operations on elements become one in what is
// compiled from now on. On a CPU MLX builds such kernels with the system's compiler.
func (l *Lib) FuseCompiled(on bool) error {
	const noFuse, enabled = 2, 3 // mlx_compile_mode
	mode := uintptr(noFuse)
	if on {
		mode = enabled
	}
	return failed(l.word1(l.t.setCompileMode, mode))
}
