package mlx

import (
	"foretoken/mlx/internal/capi"
)

// An Array is a value that is computed or can be. The zero Array is none.
type Array struct{ h capi.Array }

type handle = capi.Array

// None reports whether a is no array.
func (a Array) None() bool { return a.h == 0 }

// A DType is the type of an array's elements.
type DType = capi.DType

// The types of elements.
const (
	Float16  = capi.Float16
	Float32  = capi.Float32
	BFloat16 = capi.BFloat16
	Uint32   = capi.Uint32
	Int32    = capi.Int32
)

// A Graph is what one call of Run builds. After an operation that failed the others
// do nothing and give no array, and Run returns the error: nothing needs to be
// checked on the way. What a graph makes is freed when Run returns, or by Release,
// unless it is kept: a value that is still held cannot be written over, so a cache
// that is updated while its old handle lives is copied.
type Graph struct {
	e    *Engine
	made []capi.Array
	err  error
}

// Run calls build on the engine's thread. build must not call Run.
func (e *Engine) Run(build func(g *Graph)) error {
	g := &Graph{e: e}
	e.lib.Do(func() {
		defer g.Release()
		build(g)
	})
	return g.err
}

// Release frees what was made and not kept.
func (g *Graph) Release() {
	for _, h := range g.made {
		g.e.lib.Free(h)
	}
	g.made = g.made[:0]
}

// Keep makes a the caller's, who frees it.
func (g *Graph) Keep(a Array) Array {
	for i := len(g.made) - 1; i >= 0; i-- {
		if g.made[i] == a.h {
			g.made[i] = 0
			break
		}
	}
	return a
}

// Err is the first error.
func (g *Graph) Err() error { return g.err }

// Fail makes err the error of the graph, if it is the first.
func (g *Graph) Fail(err error) {
	if g.err == nil {
		g.err = err
	}
}

// Free gives kept arrays back.
func (g *Graph) Free(arrays ...Array) {
	for _, a := range arrays {
		g.e.lib.Free(a.h)
	}
}

// Eval frees what was made and not kept, computes arrays and waits for them.
func (g *Graph) Eval(arrays ...Array) { g.start(g.e.lib.Eval, arrays) }

func (g *Graph) start(eval func(...capi.Array) error, arrays []Array) {
	g.Release()
	if g.err != nil {
		return
	}
	handles := make([]capi.Array, 0, len(arrays))
	for _, a := range arrays {
		if !a.None() {
			handles = append(handles, a.h)
		}
	}
	if err := eval(handles...); err != nil {
		g.err = err
	}
}

// Begin frees what was made and not kept, and begins to compute arrays.
func (g *Graph) Begin(arrays ...Array) { g.start(g.e.lib.AsyncEval, arrays) }

// op notes a result.
func (g *Graph) op(h capi.Array, err error) Array {
	if err != nil {
		g.Fail(err)
		return Array{}
	}
	g.made = append(g.made, h)
	return Array{h}
}
