package mlx

import "foretoken/mlx/internal/capi"

// A Function is a part of graphs that is built once for the shapes of its inputs, and
// whose graph is kept: a call then costs the host a fraction of what building costs.
type Function struct {
	in, out  int
	build    func(g *Graph, in []Array) []Array
	compiled *capi.Compiled // nil until it is called
}

// NewFunction is build, of in inputs and out outputs. They depend on nothing else but
// arrays that are kept, and are none of the inputs, nor one another.
func NewFunction(in, out int, build func(g *Graph, in []Array) []Array) *Function {
	return &Function{in: in, out: out, build: build}
}

// Call is f's outputs. With other shapes than before it builds, and keeps that: what may
// come in any number of shapes is for Inline.
func (g *Graph) Call(f *Function, in ...Array) []Array {
	out := make([]Array, f.out)
	if g.err != nil {
		return out
	}
	l := g.e.lib
	if err := g.e.choose(); err != nil {
		g.Fail(err)
		return out
	}
	if f.compiled == nil {
		c, err := l.Compile(f.in, func(in []capi.Array) ([]capi.Array, error) { return f.trace(g.e, in) })
		if err != nil {
			g.Fail(err)
			return out
		}
		f.compiled = c
	}
	handles, results := make([]capi.Array, f.in), make([]capi.Array, f.out)
	for i, a := range in {
		handles[i] = a.h
	}
	if err := l.Call(f.compiled, handles, results); err != nil {
		g.Fail(err)
		f.forget(g.e) // MLX would take what it has of a build that failed for all of it
		return out
	}
	for i, h := range results {
		g.made = append(g.made, h)
		out[i] = Array{h}
	}
	return out
}

// Inline builds f in g.
func (g *Graph) Inline(f *Function, in ...Array) []Array { return f.build(g, in) }

// trace builds what MLX keeps.
func (f *Function) trace(e *Engine, in []capi.Array) (out []capi.Array, err error) {
	g := &Graph{e: e}
	defer g.Release()
	given := make([]Array, len(in))
	for i, h := range in {
		given[i] = Array{h}
	}
	results := f.build(g, given)
	if g.err != nil {
		return nil, g.err
	}
	for _, a := range results {
		out = append(out, g.Keep(a).h)
	}
	return out, nil
}

func (f *Function) forget(e *Engine) {
	if f.compiled != nil {
		e.lib.Forget(f.compiled)
		f.compiled = nil
	}
}

// Forget gives back what functions keep.
func (e *Engine) Forget(functions ...*Function) {
	e.lib.Do(func() {
		for _, f := range functions {
			f.forget(e)
		}
	})
}
