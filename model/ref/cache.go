package ref

// A cache holds the keys and values of every layer, a head's in one piece: attention
// reads them head by head. Positions are never moved but to a larger room:
// forgetting is a smaller length, and what is written next overwrites. A sliding
// window keeps all positions too, so that any rollback is possible.
type cache struct {
	keys, values [][]float32 // of a layer: [heads][room][dim]
	heads, dim   int
	room         int // positions
	limit        int // positions ever; 0 is no limit
}

func newCache(m *Model) cache {
	n, c := len(m.layers), m.config
	return cache{keys: make([][]float32, n), values: make([][]float32, n), heads: c.KVHeads, dim: c.HeadDim, limit: c.Context}
}

// at is where a position of a head lies in a layer.
func (c *cache) at(head, pos int) int { return (head*c.room + pos) * c.dim }

// reserve makes room for n positions, twice what there is at the least.
func (c *cache) reserve(n int) {
	if n <= c.room {
		return
	}
	room := max(n, 2*c.room, 256)
	if c.limit > 0 {
		room = min(room, c.limit)
	}
	for i := range c.keys {
		c.keys[i] = c.spread(c.keys[i], room)
		c.values[i] = c.spread(c.values[i], room)
	}
	c.room = room
}

// spread copies a layer's heads to where they lie in more room.
func (c *cache) spread(x []float32, room int) []float32 {
	y := make([]float32, c.heads*room*c.dim)
	for h := range c.heads {
		copy(y[h*room*c.dim:], x[h*c.room*c.dim:][:c.room*c.dim])
	}
	return y
}

func grown(x []float32, n int) []float32 {
	y := make([]float32, n)
	copy(y, x)
	return y
}
