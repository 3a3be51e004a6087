package sampler

import "foretoken/model"

// Draw returns the token at u in [0, 1) of the inverse CDF, in token order: the
// first at which the running sum of weights exceeds u times their total. Where
// rounding leaves none, it is the last token that has a weight.
func (d Distribution) Draw(u float32) model.Token {
	if d.IsPoint() {
		return d.only
	}
	target := float64(u) * d.total
	if d.dense != nil {
		return inverse(d.blocks, len(d.dense), target, func(i int) float64 { return float64(d.dense[i]) })
	}
	sum := 0.0
	for i, w := range d.weights {
		if sum += w; sum > target {
			return d.tokens[i]
		}
	}
	return d.tokens[len(d.tokens)-1]
}

// Sample draws from a stream in sequence. A point takes no number.
func (d Distribution) Sample(r *PCG32) model.Token {
	if d.IsPoint() {
		return d.only
	}
	return d.Draw(r.Float32())
}

// blockLen is how many ids have their weights added up ahead of a draw, so that it
// looks at the sums, and then at the ids of one block.
const blockLen = 512

// block returns the ids of block b of n ids.
func block(b, n int) (from, to int) { return b * blockLen, min((b+1)*blockLen, n) }

// inverse is Draw for n ids whose weights have the sums of blocks.
func inverse(blocks []float64, n int, target float64, weight func(id int) float64) model.Token {
	sum, last, before := 0.0, 0, 0.0 // before is the sum ahead of block last
	for b, mass := range blocks {
		if mass > 0 {
			last, before = b, sum
		}
		if sum += mass; sum > target {
			break
		}
	}
	from, to := block(last, n)
	chosen := from
	sum = before
	for i := from; i < to; i++ {
		w := weight(i)
		if !(w > 0) {
			continue
		}
		chosen = i
		if sum += w; sum > target {
			break
		}
	}
	return model.Token(chosen)
}

// sum64 adds in four chains, as one chain waits for every addition.
func sum64(x []float32) float64 {
	var a, b, c, d float64
	for ; len(x) >= 4; x = x[4:] {
		a += float64(x[0])
		b += float64(x[1])
		c += float64(x[2])
		d += float64(x[3])
	}
	for _, v := range x {
		a += float64(v)
	}
	return (a + b) + (c + d)
}
