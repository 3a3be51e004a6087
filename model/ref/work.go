package ref

import (
	"slices"
)

// work is what a block of tokens needs on its way through the layers. The fields
// of a running step are read by its jobs on all cores.
type work struct {
	s       *session
	x, h    vectors // residual stream; what a product reads
	qkv     vectors
	att     vectors   // the heads' outputs
	y       vectors   // what is added to x
	g, u    vectors   // gate and up
	turns   vectors   // of each token's position: cosines, then sines
	eights  quantised // h, att or g as packed rows read them
	more    rounded   // of a layer that rounds twice
	scratch [][]float32
	tokens  int // that there is room for

	pos int // of the block's first token
	n   int // tokens of the block
	l   *layer
	i   int // of the layer

	attJob, mlpJob, prodJob, ropeJob, blockJob func(worker, item int)
	prod                                       product
}

// rounded is what the first rounding took, and what products make of it.
type rounded struct {
	x      vectors
	eights quantised
	in     input // x and eights
	g, u   vectors
}

// A product is one matrix to be multiplied by all cores.
type product struct {
	w     matrix
	y     vectors
	x     input
	chunk int // rows an item
}

func (w *work) init(s *session) {
	w.s = s
	w.attJob, w.mlpJob, w.prodJob, w.ropeJob, w.blockJob = w.attend, w.mlp, w.multiply, w.place, w.quantise
	w.scratch = make([][]float32, s.m.pool.workers)
}

// reserve makes room for a block of n tokens that ends at most at a position.
func (w *work) reserve(n, positions int) {
	c := w.s.m.config
	if n > w.tokens {
		n = min(max(n, 2*w.tokens), block)
		w.tokens = n
		w.x, w.h, w.y = newVectors(n, c.Hidden), newVectors(n, c.Hidden), newVectors(n, c.Hidden)
		w.qkv = newVectors(n, (c.Heads+2*c.KVHeads)*c.HeadDim)
		w.att = newVectors(n, c.Heads*c.HeadDim)
		w.g, w.u = newVectors(n, c.Intermediate), newVectors(n, c.Intermediate)
		w.turns = newVectors(n, c.HeadDim)
		if slices.ContainsFunc(w.s.m.layers, func(y layer) bool { return y.twice }) {
			w.more.x = newVectors(n, max(c.Hidden, c.Intermediate))
			w.more.g, w.more.u = newVectors(n, c.Intermediate), newVectors(n, c.Intermediate)
		}
	}
	if len(w.scratch[0]) < attTokens*(positions+2*lanes) {
		for i := range w.scratch {
			w.scratch[i] = make([]float32, attTokens*(w.s.cache.room+2*lanes))
		}
	}
}

// each runs a job for every one of n tokens: here when they are few.
func (w *work) each(n int, job func(worker, token int)) {
	if n > 3 {
		w.s.m.pool.run(n, job)
		return
	}
	for i := range n {
		job(0, i)
	}
}

// times is y = W x, the rows divided over the cores.
func (w *work) times(m matrix, y, x vectors) {
	w.run(m, y, w.input(x, m))
}

func (w *work) run(m matrix, y vectors, x input) {
	rows, _ := m.size()
	w.prod = product{m, y, x, w.chunk(m)}
	w.s.m.pool.run((rows+w.prod.chunk-1)/w.prod.chunk, w.prodJob)
}

// input is x as some matrices of as many columns read it.
func (w *work) input(x vectors, of ...matrix) input {
	for _, m := range of {
		if m.blocked() {
			_, cols := m.size()
			w.eights.reserve(x.n, cols)
			w.prod.x = input{x, &w.eights}
			w.each(x.n, w.blockJob)
			return w.prod.x
		}
	}
	return input{vectors: x}
}

// again rounds what rounding took from an input.
func (w *work) again(in input) {
	more, cols := &w.more, in.blocks.cols
	more.eights.reserve(in.n, cols)
	for v := range in.n {
		x := more.x.at(v)[:cols]
		in.blocks.rest(x, v, in.at(v))
		w.s.m.k.blocks.quantise(&more.eights, v, x)
	}
	more.in = input{more.x, &more.eights}
}

func (w *work) quantise(_, v int) {
	x := w.prod.x
	w.s.m.k.blocks.quantise(x.blocks, v, x.at(v)[:x.blocks.cols])
}

// chunk is how many rows of some matrices a core takes at a time: a few chunks each,
// where turns allow that, so that one that is held up does not hold up all.
func (w *work) chunk(of ...matrix) int {
	const items, most = 4, 1 << 18 // floats
	rows, cols := of[0].size()
	turn := 0
	for _, m := range of {
		turn = max(turn, m.turn())
	}
	c := min(rows/(items*w.s.m.pool.workers), most/cols)
	return max(c/turn, 1) * turn
}

func (w *work) multiply(_, item int) {
	p := &w.prod
	rows, _ := p.w.size()
	from := item * p.chunk
	p.w.product(p.y, p.x, from, min(from+p.chunk, rows))
}
