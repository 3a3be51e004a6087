package mlx

import "foretoken/mlx/internal/capi"

// fusedSwiGLU is SwiGLU in one kernel, of the same roundings.
func (g *Graph) fusedSwiGLU(gate, up Array) Array {
	l := g.e.lib
	if g.e.swiglu == nil {
		c, err := l.Compile(2, func(in []capi.Array) (capi.Array, error) {
			s, err := l.Sigmoid(in[0])
			if err != nil {
				return 0, err
			}
			defer l.Free(s)
			gated, err := l.Multiply(in[0], s)
			if err != nil {
				return 0, err
			}
			defer l.Free(gated)
			return l.Multiply(gated, in[1])
		})
		if err != nil {
			g.Fail(err)
			return Array{}
		}
		g.e.swiglu = c
	}
	return g.op(l.Call(g.e.swiglu, gate.h, up.h))
}

// Fuse says whether compiled operations stand for chains of them. On a GPU, where each
// begins a kernel, they do from the start.
func (e *Engine) Fuse(on bool) { e.lib.Do(func() { e.fused = on }) }
