package ref

import (
	"slices"

	"foretoken/model"
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

// block forwards tokens and writes the logits after the last rows of them.
func (s *session) block(tokens []model.Token, rows int) {
	m, w := s.m, &s.work
	w.begin(len(tokens))
	for i, t := range tokens {
		m.embed.row(int(t), w.x.at(i))
	}
	for i := range m.layers {
		s.taps.keep(i, w.pos, w.x)
		w.layer(i)
	}
	s.taps.keep(len(m.layers), w.pos, w.x)
	s.end(rows)
}

// begin makes a block of the n positions after those cached.
func (w *work) begin(n int) {
	w.pos, w.n = w.s.n, n
	for _, v := range []*vectors{&w.x, &w.h, &w.y, &w.qkv, &w.att, &w.g, &w.u, &w.more.x, &w.more.g, &w.more.u} {
		v.n = n
	}
	for i := range n {
		w.turn(i)
	}
}

// end counts the block as cached, and writes the logits of its last rows.
func (s *session) end(rows int) {
	m, w := s.m, &s.work
	s.n += w.n
	if rows == 0 {
		return
	}
	last := w.x.from(w.n - rows)
	out := s.out.rows.from(s.out.rows.n - s.out.left)
	out.n = rows
	s.out.left -= rows
	for i := range rows {
		m.k.norm(w.h.at(i), last.at(i), m.norm, m.config.Hidden, m.config.NormEps)
	}
	w.h.n = rows
	w.times(m.head, out, w.h)
}

// layer is attention and the gated MLP, each added to the stream.
func (w *work) layer(i int) {
	w.norms(w.s.m.layers[i].attnNorm)
	w.through(i, w.h)
}

// through is layer i after its first norm: in is what q, k and v are made of.
func (w *work) through(i int, in vectors) {
	m := w.s.m
	w.i, w.l = i, &m.layers[i]
	w.times(w.l.qkv, w.qkv, in)
	w.each(w.n, w.ropeJob)
	m.pool.run(w.attendItems(), w.attJob)
	w.times(w.l.out, w.y, w.att)
	w.join(w.l.outBias)
	w.norms(w.l.mlpNorm)
	rows, _ := w.l.gate.size()
	w.prod = product{y: w.g, x: w.input(w.h, w.l.gate, w.l.up), chunk: w.chunk(w.l.gate, w.l.up)}
	if w.l.twice {
		w.again(w.prod.x)
	}
	m.pool.run((rows+w.prod.chunk-1)/w.prod.chunk, w.mlpJob)
	w.times(w.l.down, w.y, w.g)
	w.join(nil)
	if w.l.twice {
		w.again(w.prod.x)
		w.run(w.l.down, w.y, w.more.in)
		w.join(nil)
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

func (w *work) norms(weight []float32) {
	m := w.s.m
	for i := range w.n {
		m.k.norm(w.h.at(i), w.x.at(i), weight, m.config.Hidden, m.config.NormEps)
	}
}

// join adds y, with a bias, to the residual stream.
func (w *work) join(bias []float32) {
	for i := range w.n {
		if bias != nil {
			w.s.m.k.add(w.y.at(i), bias)
		}
		w.s.m.k.add(w.x.at(i), w.y.at(i))
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

// mlp is some rows of gate and up, and what comes of them.
func (w *work) mlp(_, item int) {
	rows, _ := w.l.gate.size()
	from := item * w.prod.chunk
	to := min(from+w.prod.chunk, rows)
	w.l.gate.product(w.g, w.prod.x, from, to)
	w.l.up.product(w.u, w.prod.x, from, to)
	if more := &w.more; w.l.twice {
		w.l.gate.product(more.g, more.in, from, to)
		w.l.up.product(more.u, more.in, from, to)
		for i := range w.n {
			w.s.m.k.add(w.g.at(i)[from:to], more.g.at(i)[from:to])
			w.s.m.k.add(w.u.at(i)[from:to], more.u.at(i)[from:to])
		}
	}
	for i := range w.n {
		w.s.m.k.gate(w.g.at(i)[from:to], w.u.at(i)[from:to])
	}
}
