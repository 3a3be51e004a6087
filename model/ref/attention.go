package ref

import "math"

// place finishes the queries, keys and values of one token: biases, norms, the turn
// of rope, and keys and values into the cache.
func (w *work) place(_, token int) {
	m, c := w.s.m, w.s.m.config
	row := w.qkv.at(token)
	if w.l.qkvBias != nil {
		m.k.add(row[:len(w.l.qkvBias)], w.l.qkvBias)
	}
	q, k := c.Heads*c.HeadDim, c.KVHeads*c.HeadDim
	for at := 0; at < q+k; at += c.HeadDim {
		head := row[at : at+c.HeadDim]
		if c.QKNorm {
			weight := w.l.qNorm
			if at >= q {
				weight = w.l.kNorm
			}
			m.att.norm(head, head, weight, c.HeadDim, c.NormEps)
		}
		rotate(head, w.turns.at(token))
	}
	at := (w.pos + token) * k
	copy(w.s.cache.keys[w.i][at:at+k], row[q:])
	copy(w.s.cache.values[w.i][at:at+k], row[q+k:])
}

// rotate turns the pairs (i, i+half) of a head: RoFormer (Su et al. 2021) in the
// rotate-half order.
func rotate(head, turns []float32) {
	half := len(head) / 2
	lo, hi, cos, sin := head[:half], head[half:2*half], turns[:half], turns[half:2*half]
	for i, a := range lo {
		b := hi[i]
		lo[i] = float32(a*cos[i]) - float32(b*sin[i])
		hi[i] = float32(b*cos[i]) + float32(a*sin[i])
	}
}

// attend is one head of one token. Its sums run over the positions that the token
// sees, in order, whatever else is in the block.
func (w *work) attend(worker, item int) {
	m, c := w.s.m, w.s.m.config
	token, head := item/c.Heads, item%c.Heads
	n, first := w.pos+token+1, 0
	if c.SlidingWindow > 0 && n > c.SlidingWindow {
		first = n - c.SlidingWindow
		n = c.SlidingWindow
	}
	stride := w.s.cache.width
	at := first*stride + head/(c.Heads/c.KVHeads)*c.HeadDim
	keys, values := w.s.cache.keys[w.i][at:], w.s.cache.values[w.i][at:]
	p := w.scratch[worker]
	q := w.qkv.at(token)[head*c.HeadDim:][:c.HeadDim]
	m.att.scores(p, q, keys, stride, n, float32(1/math.Sqrt(float64(c.HeadDim))))
	sum := m.att.softmax(p[:n])
	m.att.mix(w.att.at(token)[head*c.HeadDim:][:c.HeadDim], p, sum, values, stride, n)
}
