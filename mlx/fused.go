package mlx

import "sync/atomic"

// chosen is the engine whose Fuse MLX has: it has one for the whole process.
var chosen atomic.Pointer[Engine]

// choose gives MLX e's.
func (e *Engine) choose() error {
	if chosen.Load() == e {
		return nil
	}
	if err := e.lib.FuseCompiled(e.is.fuse); err != nil {
		return err
	}
	chosen.Store(e)
	return nil
}

// newSwiGLU is SwiGLU in one kernel, of the same roundings.
func newSwiGLU() *Function {
	return NewFunction(2, 1, func(g *Graph, in []Array) []Array { return []Array{g.chainedSwiGLU(in[0], in[1])} })
}

func (g *Graph) chainedSwiGLU(gate, up Array) Array {
	return g.Multiply(g.Multiply(gate, g.one(g.e.lib.Sigmoid, gate)), up)
}
