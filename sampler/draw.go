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
		return drawDense(d.dense, target)
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

// drawBlock is how many weights drawDense skips at a time.
const drawBlock = 256

// drawDense finds the block in which the running sum passes target, then the id.
func drawDense(weights []float32, target float64) model.Token {
	sum, last, before := 0.0, 0, 0.0 // before is the sum ahead of block last
	for from := 0; from < len(weights); from += drawBlock {
		block := weights[from:min(from+drawBlock, len(weights))]
		mass := sum64(block)
		if mass > 0 {
			last, before = from, sum
		}
		if sum+mass > target {
			break
		}
		sum += mass
	}
	chosen := last
	sum = before
	for i, w := range weights[last:min(last+drawBlock, len(weights))] {
		if w == 0 {
			continue
		}
		chosen = last + i
		if sum += float64(w); sum > target {
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
