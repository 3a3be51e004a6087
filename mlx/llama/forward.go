package llama

import (
	"math"

	"foretoken/mlx"
	"foretoken/model"
)

// A pass is a block of tokens on its way through the layers.
type pass struct {
	g     *mlx.Graph
	m     *Model
	pos   int // of the block's first token
	n     int // tokens
	first int // the first cached position that any of them sees
	mask  mlx.Array
	cache *pending
	taps  *taps       // nil where no states are kept
	seen  []mlx.Array // the states of each tap so far
}

// forward adds n tokens, ids [1, n], to the cache at pos and returns the logits after
// the last rows of them, [rows, Vocab], if any.
func (s *session) forward(g *mlx.Graph, pos int, ids mlx.Array, n, rows int) mlx.Array {
	p := s.pass(g, pos, n)
	x := g.Embed(s.m.w.embed, ids)
	for i := range s.m.layers {
		p.tap(i, x)
		x = p.layer(i, x, g.RMSNorm(x, s.m.layers[i].attnNorm, s.m.config.NormEps))
	}
	p.tap(len(s.m.layers), x)
	return p.end(x, rows)
}

// pass begins a pass of n tokens at pos.
func (s *session) pass(g *mlx.Graph, pos, n int) *pass {
	p := &pass{g: g, m: s.m, taps: s.taps, pos: pos, n: n}
	p.window()
	p.cache = s.cache.grown(g, s, pos, pos+n)
	return p
}

// end is the logits of the last rows positions of the stream, if any, and makes the
// cache what the pass leaves.
func (p *pass) end(x mlx.Array, rows int) (scores mlx.Array) {
	g, c := p.g, p.m.config
	if rows > 0 {
		x = g.Slice(x, []int{0, p.n - rows, 0}, []int{1, p.n, c.Hidden})
		scores = g.Reshape(g.Apply(p.m.w.head, g.RMSNorm(x, p.m.w.norm, c.NormEps)), rows, c.Vocab)
	}
	p.keepTaps()
	if g.Err() == nil {
		p.cache.commit(g)
	}
	return scores
}

// indices are tokens as an array, [1, n].
func indices(g *mlx.Graph, tokens []model.Token) mlx.Array {
	ids := make([]int32, len(tokens))
	for i, t := range tokens {
		ids[i] = int32(t)
	}
	return g.FromInts(ids, 1, len(tokens))
}

// layer is attention, which reads h, and the gated MLP, each added to the stream
// [1, n, Hidden].
func (p *pass) layer(i int, x, h mlx.Array) mlx.Array {
	g, c, y := p.g, p.m.config, &p.m.layers[i]
	x = g.Add(x, g.Apply(y.out, p.attend(i, y, h)))
	h = g.RMSNorm(x, y.mlpNorm, c.NormEps)
	return g.Add(x, g.Apply(y.down, g.SwiGLU(g.Apply(y.gate, h), g.Apply(y.up, h))))
}

// attend is the heads' outputs, [1, n, Heads * HeadDim].
func (p *pass) attend(i int, y *layer, h mlx.Array) mlx.Array {
	g, c := p.g, p.m.config
	q := g.Heads(g.Apply(y.q, h), p.n, c.Heads, c.HeadDim)
	k := g.Heads(g.Apply(y.k, h), p.n, c.KVHeads, c.HeadDim)
	v := g.Heads(g.Apply(y.v, h), p.n, c.KVHeads, c.HeadDim)
	if c.QKNorm {
		q, k = g.RMSNorm(q, y.qNorm, c.NormEps), g.RMSNorm(k, y.kNorm, c.NormEps)
	}
	at := p.pos + p.m.first
	q, k = g.Turn(p.m.w.rope, q, at), g.Turn(p.m.w.rope, k, at)
	keys, values := p.cache.put(g, p.m, i, k, v, p.pos, p.n, p.first)
	a := p.m.kv.attention(p, q, keys, values, float32(1/math.Sqrt(float64(c.HeadDim))))
	return g.Reshape(g.Swap(a), 1, p.n, c.Heads*c.HeadDim)
}

// window limits what the tokens see where the model has a sliding window that is
// shorter than the text. One token needs no mask: its keys are those of the window.
// Nor do several of a cache that is not quantised, where there is no window.
func (p *pass) window() {
	w := p.m.config.SlidingWindow
	sliding := w > 0 && p.pos+p.n > w
	if sliding {
		p.first = max(0, p.pos+1-w)
	} else {
		w = p.pos + p.n
	}
	if p.n == 1 || !sliding && p.m.kv.bits == 0 {
		return
	}
	keys := p.pos + p.n - p.first
	sees := make([]bool, p.n*keys)
	for i := range p.n {
		for j := range keys {
			query, key := p.pos+i, p.first+j
			sees[i*keys+j] = key <= query && key > query-w
		}
	}
	p.mask = p.g.FromBools(sees, p.n, keys)
}
