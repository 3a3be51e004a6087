package llama

import (
	"slices"

	"foretoken/mlx"
)

// block is by how many positions a cache grows.
const block = 256

// A cache holds the keys and values of every layer. Positions are never moved:
// forgetting is a smaller length, and what is written next overwrites. A sliding
// window keeps all positions too, and a quantised position shares nothing with
// another, so that any rollback is possible, and exact.
type cache struct {
	keys, values []held // by layer
	taps         held   // hidden states, [1, room, width], where they are kept
	room         int
}

// held are the keys or the values of a layer, [1, KVHeads, room, width]: one array, or
// three where they are quantised.
type held []mlx.Array

// A pending cache is the cache that a graph under construction will leave. Nothing
// of it is kept before commit, so that a graph that cannot be built changes
// nothing.
type pending struct {
	cache
	old *cache
}

// grown has room for need positions, of which the first are written.
func (c *cache) grown(g *mlx.Graph, s *session, written, need int) *pending {
	m := s.m
	p := &pending{cache: cache{room: c.room}, old: c}
	if need <= c.room {
		for i := range m.layers {
			p.keys, p.values = append(p.keys, slices.Clone(c.keys[i])), append(p.values, slices.Clone(c.values[i]))
		}
		p.taps = slices.Clone(c.taps)
		return p
	}
	p.room = (need + block - 1) / block * block
	for i := range m.layers {
		var keys, values held
		for j, part := range m.kv.parts {
			shape := []int{1, m.config.KVHeads, p.room, part.width}
			keys = append(keys, enlarged(g, c.keys, i, j, part.dtype, shape, written))
			values = append(values, enlarged(g, c.values, i, j, part.dtype, shape, written))
		}
		p.keys, p.values = append(p.keys, keys), append(p.values, values)
	}
	if s.taps != nil {
		p.taps = held{enlarged(g, []held{c.taps}, 0, 0, m.dtype, []int{1, p.room, s.taps.width}, written)}
	}
	return p
}

// enlarged is an array of a shape whose first positions, the axis before the last, are
// those that part j of old[i] has written.
func enlarged(g *mlx.Graph, old []held, i, j int, d mlx.DType, shape []int, written int) mlx.Array {
	x := g.Zeros(d, shape...)
	if written == 0 {
		return x
	}
	start, stop := make([]int, len(shape)), slices.Clone(shape)
	stop[len(shape)-2] = written
	return g.Update(x, g.Slice(old[i][j], start, stop), start, stop)
}

// put writes k and v, [1, KVHeads, n, HeadDim], at a position of layer i and returns
// what is cached from position first on.
func (p *pending) put(g *mlx.Graph, m *Model, i int, k, v mlx.Array, pos, n, first int) (keys, values held) {
	return write(g, m, p.keys[i], k, pos, n, first), write(g, m, p.values[i], v, pos, n, first)
}

func write(g *mlx.Graph, m *Model, to held, x mlx.Array, pos, n, first int) (seen held) {
	for j, x := range m.kv.pack(g, x) {
		start, stop := []int{0, 0, pos, 0}, []int{1, m.config.KVHeads, pos + n, m.kv.parts[j].width}
		to[j] = g.Update(to[j], x, start, stop)
		start[2] = first
		seen = append(seen, g.Slice(to[j], start, stop))
	}
	return seen
}

// commit makes p the cache, whose handles go before p is computed: it is then
// written in place.
func (p *pending) commit(g *mlx.Graph) {
	for _, a := range p.all() {
		g.Keep(a)
	}
	p.old.free(g)
	*p.old = p.cache
}

func (c *cache) free(g *mlx.Graph) { g.Free(c.all()...) }

func (c *cache) all() (arrays []mlx.Array) {
	for _, h := range slices.Concat(c.keys, c.values) {
		arrays = append(arrays, h...)
	}
	return append(arrays, c.taps...)
}
