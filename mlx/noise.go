package mlx

// Noise is the numbers of one key after another, as MLX's own draws take them: each
// draw splits the key, goes on with the first half and uses the second. A draw of a
// category is the inverse of the cumulative distribution at one such number.
type Noise struct {
	e   *Engine
	key Array
}

// Noise begins where mx.random.seed(seed) does.
func (e *Engine) Noise(seed uint64) (*Noise, error) {
	x := &Noise{e: e}
	err := e.Run(func(g *Graph) { x.key = g.Keep(g.op(e.lib.RandomKey(seed))) })
	return x, err
}

// Next is the number of the next draw, in [0, 1).
func (x *Noise) Next() (float32, error) {
	u := []float32{0}
	err := x.e.Run(func(g *Graph) {
		first, second, err := x.e.lib.RandomSplit(x.key.h)
		if g.Fail(err); err != nil {
			return
		}
		g.made = append(g.made, first, second)
		low, high := g.Number(0), g.Number(1)
		if g.err == nil {
			g.ReadFloats(u, g.op(x.e.lib.Uniform(low.h, high.h, second, 1)))
		}
		if g.err == nil {
			g.Free(x.key)
			x.key = g.Keep(Array{first})
		}
	})
	return u[0], err
}

// Close gives the key back.
func (x *Noise) Close() {
	x.e.Free(x.key)
	x.key = Array{}
}
