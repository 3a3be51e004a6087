package ref

import (
	"foretoken/model"
)

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
