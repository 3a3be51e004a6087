package ref

// A cache holds the keys and values of every layer. Positions are never moved:
// forgetting is a smaller length, and what is written next overwrites. A sliding
// window keeps all positions too, so that any rollback is possible.
type cache struct {
	keys, values [][]float32 // of a layer: [positions][KVHeads][HeadDim]
	width        int         // floats a position
	room         int         // positions
	limit        int         // positions ever; 0 is no limit
}

func newCache(m *Model) cache {
	n := len(m.layers)
	return cache{keys: make([][]float32, n), values: make([][]float32, n), width: m.config.KVHeads * m.config.HeadDim, limit: m.config.Context}
}

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
		c.keys[i] = grown(c.keys[i], room*c.width)
		c.values[i] = grown(c.values[i], room*c.width)
	}
	c.room = room
}

func grown(x []float32, n int) []float32 {
	y := make([]float32, n)
	copy(y, x)
	return y
}
