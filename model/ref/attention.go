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
		m.att.rotate(head, w.turns.at(token))
	}
	for h := range c.KVHeads {
		at := w.s.cache.at(h, w.pos+token)
		copy(w.s.cache.keys[w.i][at:], row[q+h*c.HeadDim:][:c.HeadDim])
		copy(w.s.cache.values[w.i][at:], row[q+k+h*c.HeadDim:][:c.HeadDim])
	}
}

const (
	// attTokens is how many tokens of a head go through the cache together, at the
	// most: pairs of them.
	attTokens = 4

	// attBlock is how many keys or values they meet in turn: those of 64 floats take
	// half of the first-level cache.
	attBlock = 64
)

// attendItems is the count of items of attend: a head and some tokens.
func (w *work) attendItems() int { return w.s.m.config.Heads * w.attendParts() }

func (w *work) attendParts() int { return (w.n + attTokens - 1) / attTokens }

// attend is one head of some tokens. A token's sums run over the positions that it
// sees, in order, whatever else is in the block.
func (w *work) attend(worker, item int) {
	m, c := w.s.m, w.s.m.config
	part, head := item/c.Heads, item%c.Heads
	pairs, parts := (w.n+1)/2, w.attendParts()
	from, to := pairs*part/parts*2, min(pairs*(part+1)/parts*2, w.n)
	at := w.s.cache.at(head/(c.Heads/c.KVHeads), 0)
	keys, values := w.s.cache.keys[w.i][at:], w.s.cache.values[w.i][at:]
	scale := float32(1 / math.Sqrt(float64(c.HeadDim)))
	first, _ := w.sees(from)
	query := func(t int) []float32 { return w.qkv.at(t)[head*c.HeadDim:][:c.HeadDim] }
	sum := func(t int) []float32 { return w.att.at(t)[head*c.HeadDim:][:c.HeadDim] }
	for at := first; at < w.pos+to; at += attBlock {
		for t := from; t < to; t++ {
			low, a, b := w.meets(t, at)
			weights := w.weights(worker, t-from)
			switch {
			case a >= b:
			case w.together(t, to, at):
				m.att.scores2(weights[a-low:], w.weights(worker, t+1-from)[a-low:], query(t), query(t+1), keys[a*c.HeadDim:], c.HeadDim, b-a, scale)
				t++
			default:
				m.att.scores(weights[a-low:], query(t), keys[a*c.HeadDim:], c.HeadDim, b-a, scale)
			}
		}
	}
	var sums [attTokens]float32
	for t := from; t < to; t++ {
		low, high := w.sees(t)
		sums[t-from] = m.att.softmax(w.weights(worker, t-from)[:high-low])
		clear(sum(t))
	}
	for at := first; at < w.pos+to; at += attBlock {
		for t := from; t < to; t++ {
			low, a, b := w.meets(t, at)
			weights := w.weights(worker, t-from)
			switch {
			case a >= b:
			case w.together(t, to, at):
				m.att.mix2(sum(t), sum(t+1), weights[a-low:], w.weights(worker, t+1-from)[a-low:], values[a*c.HeadDim:], c.HeadDim, b-a)
				t++
			default:
				m.att.mix(sum(t), weights[a-low:], values[a*c.HeadDim:], c.HeadDim, b-a)
			}
		}
	}
	for t := from; t < to; t++ {
		m.att.divide(sum(t), sums[t-from])
	}
}

// together is whether the kernels take a token and the next, of those before to, at
// once: both see the same of the block that begins at a position.
func (w *work) together(token, to, at int) bool {
	if w.s.m.att.scores2 == nil || token+1 == to {
		return false
	}
	low, a, b := w.meets(token, at)
	low1, a1, b1 := w.meets(token+1, at)
	return low == low1 && a == a1 && b == b1
}

// sees is the positions that a token attends to.
func (w *work) sees(token int) (low, high int) {
	high = w.pos + token + 1
	if window := w.s.m.config.SlidingWindow; window > 0 {
		low = max(high-window, 0)
	}
	return low, high
}

// meets is those of them in the block that begins at a position, and the first of all.
func (w *work) meets(token, at int) (low, a, b int) {
	low, high := w.sees(token)
	return low, max(at, low), min(at+attBlock, high)
}

// weights is a worker's scratch for one of the tokens of attend.
func (w *work) weights(worker, i int) []float32 {
	n := len(w.scratch[worker]) / attTokens
	return w.scratch[worker][i*n:][:n]
}
