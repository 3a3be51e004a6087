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
	pos   int       // of the block's first token
	n     int       // tokens
	at    mlx.Array // rope's position of the first, an int32
	first int       // the first cached position that any of them sees
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
	p.tap(0, x)
	y := p.call(s.m.steps[0], x, p.at)
	for i := range s.m.layers {
		a := p.attend(i, y[0], y[1], y[2])
		y = p.call(s.m.steps[i+1], x, a, p.at)
		x, y = y[0], y[1:]
		p.tap(i+1, x)
	}
	return p.end(x, rows)
}

// pass begins a pass of n tokens at pos.
func (s *session) pass(g *mlx.Graph, pos, n int) *pass {
	p := &pass{g: g, m: s.m, taps: s.taps, pos: pos, n: n, at: g.Integer(pos + s.m.first)}
	p.window()
	p.cache = s.cache.grown(g, s, pos, pos+n)
	return p
}

// end is the logits of the last rows positions of the stream, if any, and makes the
// cache what the pass leaves.
func (p *pass) end(x mlx.Array, rows int) (scores mlx.Array) {
	g, c := p.g, p.m.config
	if rows > 0 {
		if rows < p.n {
			x = g.Slice(x, []int{0, p.n - rows, 0}, []int{1, p.n, c.Hidden})
		}
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

// kept is the most tokens of a pass whose steps' graphs are kept: a verify's. A prompt's
// block has any length.
const kept = 32

// call is what a step makes of its inputs.
func (p *pass) call(f *mlx.Function, in ...mlx.Array) []mlx.Array {
	if p.n > kept {
		return p.g.Inline(f, in...)
	}
	return p.g.Call(f, in...)
}

// attend caches keys and values of layer i, and is the heads' outputs, [1, Heads, n,
// HeadDim]. What rope multiplies queries and keys by comes in as the scale of their
// products.
func (p *pass) attend(i int, q, k, v mlx.Array) mlx.Array {
	keys, values := p.cache.put(p.g, p.m, i, k, v, p.pos, p.n, p.first)
	by := p.m.config.RopeAttention()
	return p.m.kv.attention(p, q, keys, values, float32(by*by/math.Sqrt(float64(p.m.config.HeadDim))))
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
