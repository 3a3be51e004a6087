package mlx

// newSwiGLU is SwiGLU in one kernel, of the same roundings.
func newSwiGLU() *Function {
	return NewFunction(2, 1, func(g *Graph, in []Array) []Array { return []Array{g.chainedSwiGLU(in[0], in[1])} })
}

func (g *Graph) chainedSwiGLU(gate, up Array) Array {
	return g.Multiply(g.Multiply(gate, g.one(g.e.lib.Sigmoid, gate)), up)
}

// Fuse says whether compiled operations stand for chains of them. On a GPU, where each
// begins a kernel, they do from the start.
func (e *Engine) Fuse(on bool) (err error) {
	e.lib.Do(func() {
		e.fused = on
		err = e.lib.FuseCompiled(on)
	})
	return err
}
