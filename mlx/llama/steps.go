package llama

import "foretoken/mlx"

// newSteps makes what is between the attentions, each a graph that is kept: step 0 leads
// from the embedding to the first, step i from attention i-1 to the next, the last to the
// final norm. Attention itself reads a cache of ever another length.
func (m *Model) newSteps() {
	m.steps = []*mlx.Function{mlx.NewFunction(2, 3, func(g *mlx.Graph, in []mlx.Array) []mlx.Array {
		return m.enter(g, 0, in[0], in[1])
	})}
	for i := range len(m.layers) - 1 {
		m.steps = append(m.steps, mlx.NewFunction(3, 4, func(g *mlx.Graph, in []mlx.Array) []mlx.Array {
			x := m.leave(g, i, in[0], in[1])
			return append([]mlx.Array{x}, m.enter(g, i+1, x, in[2])...)
		}))
	}
	m.steps = append(m.steps, m.lastStep(len(m.layers)-1))
	m.w.owns(m.steps...)
}

// lastStep leads from attention i, the last, to the final norm.
func (m *Model) lastStep(i int) *mlx.Function {
	return mlx.NewFunction(3, 1, func(g *mlx.Graph, in []mlx.Array) []mlx.Array {
		return []mlx.Array{m.leave(g, i, in[0], in[1])}
	})
}

// enter is queries, keys and values of layer i, from the stream x [1, n, Hidden] whose
// first position is at.
func (m *Model) enter(g *mlx.Graph, i int, x, at mlx.Array) []mlx.Array {
	return m.project(g, &m.layers[i], g.RMSNorm(x, m.layers[i].attnNorm, m.config.NormEps), at)
}

// project is queries [1, Heads, n, HeadDim], keys and values [1, KVHeads, n, HeadDim] of
// h, with their positions.
func (m *Model) project(g *mlx.Graph, y *layer, h, at mlx.Array) []mlx.Array {
	c := m.config
	if y.qkv.apart() || c.QKNorm {
		each := y.qkv.each(g, h)
		q, k, v := g.Heads(each[0], c.Heads, c.HeadDim), g.Heads(each[1], c.KVHeads, c.HeadDim), g.Heads(each[2], c.KVHeads, c.HeadDim)
		if c.QKNorm {
			q, k = g.RMSNorm(q, y.qNorm, c.NormEps), g.RMSNorm(k, y.kNorm, c.NormEps)
		}
		return []mlx.Array{g.Turn(m.w.rope, q, at), g.Turn(m.w.rope, k, at), v}
	}
	turned := c.Heads + c.KVHeads
	all := g.Heads(g.Apply(y.qkv.one, h), turned+c.KVHeads, c.HeadDim)
	qk := g.Turn(m.w.rope, g.Part(all, 1, 0, turned), at)
	return []mlx.Array{g.Part(qk, 1, 0, c.Heads), g.Part(qk, 1, c.Heads, turned), g.Part(all, 1, turned, turned+c.KVHeads)}
}

// leave adds to the stream what layer i's attention a, [1, Heads, n, HeadDim], and its
// gated MLP make of it.
func (m *Model) leave(g *mlx.Graph, i int, x, a mlx.Array) mlx.Array {
	c, y := m.config, &m.layers[i]
	x = g.Add(x, g.Apply(y.out, g.Reshape(g.Swap(a), 1, -1, c.Heads*c.HeadDim)))
	gated := y.gateUp.each(g, g.RMSNorm(x, y.mlpNorm, c.NormEps))
	return g.Add(x, g.Apply(y.down, g.SwiGLU(gated[0], gated[1])))
}
