package llama

import (
	"foretoken/mlx"
)

// block is by how many positions a cache grows.
const block = 256

// A cache holds the keys and values of every layer, [1, KVHeads, room, HeadDim].
// Positions are never moved: forgetting is a smaller length, and what is written
// next overwrites. A sliding window keeps all positions too, so that any rollback
// is possible.
type cache struct {
	keys, values []mlx.Array
	room         int
}

// A pending cache is the cache that a graph under construction will leave. Nothing
// of it is kept before commit, so that a graph that cannot be built changes
// nothing.
type pending struct {
	cache
	old *cache
}

// grown has room for need positions, of which held are written.
func (c *cache) grown(g *mlx.Graph, m *Model, held, need int) *pending {
	p := &pending{cache: cache{room: c.room}, old: c}
	if need > c.room {
		p.room = (need + block - 1) / block * block
	}
	heads, dim := m.config.KVHeads, m.config.HeadDim
	grow := func(old []mlx.Array, i int) mlx.Array {
		if p.room == c.room {
			return old[i]
		}
		x := g.Zeros(m.dtype, 1, heads, p.room, dim)
		if held > 0 {
			stop := []int{1, heads, held, dim}
			x = g.Update(x, g.Slice(old[i], []int{0, 0, 0, 0}, stop), []int{0, 0, 0, 0}, stop)
		}
		return x
	}
	for i := range m.layers {
		p.keys = append(p.keys, grow(c.keys, i))
		p.values = append(p.values, grow(c.values, i))
	}
	return p
}

// put writes k and v, [1, KVHeads, n, HeadDim], at a position of layer i and returns
// what is cached from position first on.
func (p *pending) put(g *mlx.Graph, m *Model, i int, k, v mlx.Array, pos, n, first int) (keys, values mlx.Array) {
	heads, dim := m.config.KVHeads, m.config.HeadDim
	start, stop := []int{0, 0, pos, 0}, []int{1, heads, pos + n, dim}
	p.keys[i] = g.Update(p.keys[i], k, start, stop)
	p.values[i] = g.Update(p.values[i], v, start, stop)
	start[2] = first
	return g.Slice(p.keys[i], start, stop), g.Slice(p.values[i], start, stop)
}

// commit makes p the cache, whose handles go before p is computed: it is then
// written in place.
func (p *pending) commit(g *mlx.Graph) {
	for _, x := range [][]mlx.Array{p.keys, p.values} {
		for _, a := range x {
			g.Keep(a)
		}
	}
	p.old.free(g)
	*p.old = p.cache
}

func (c *cache) free(g *mlx.Graph) {
	g.Free(c.keys...)
	g.Free(c.values...)
}

func (c *cache) all() []mlx.Array {
	return append(append([]mlx.Array(nil), c.keys...), c.values...)
}
