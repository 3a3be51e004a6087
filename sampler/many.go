package sampler

import (
	"math"
	"slices"

	"foretoken/model"
)

// many is a plan that may keep a good part of the vocabulary: weights of the
// whole row, and the last key of the ranking that stays.
func (h *host) many(z []float32, p *model.Plan) (Distribution, error) {
	top, err := highest(z)
	if err != nil {
		return Distribution{}, err
	}
	filtered := p.TopP > 0 || p.MinP > 0 || p.TopK > 0
	if !filtered && p.Mask == nil && len(z) > fewMax {
		return h.whole(z, top, p.Temperature), nil
	}
	h.weights = slices.Grow(h.weights[:0], len(z))[:len(z)]
	total := expInto(h.weights, z, top, scale(p.FilterTemperature))
	limit := float64(p.TopP) * total
	ids := h.candidates(p, total, limit)
	if p.TopP > 0 || p.TopK > 0 {
		last := h.boundary(ids, z, top, p, limit)
		if p.FilterTemperature == p.Temperature && mostOf(ids, z, last) {
			return h.most(z, last), nil
		}
		h.found = slices.Grow(h.found[:0], len(ids))
		ids = upTo(h.found[:len(ids)], ids, z, last)
	}
	if p.FilterTemperature != p.Temperature {
		expInto(h.weights, z, top, scale(p.Temperature))
	}
	return h.emit(ids, z, top, p.Temperature), nil
}

// upTo writes to dst, which may be ids, those that do not rank behind last, without
// branches.
func upTo(dst, ids []int32, z []float32, last key) []int32 {
	logit, id, n := last.logit(), int32(last.id()), 0
	for _, i := range ids {
		dst[n] = i
		var early uint
		if i <= id {
			early = 1
		}
		n += int(greater(z[i], logit) | atLeast(z[i], logit)&early)
	}
	return dst[:n]
}

// candidates returns the ids that min-p keeps and among which top-p cuts: where
// limit lies within the weight of the best few, those, and of a flat row all, some of
// which may have no weight.
func (h *host) candidates(p *model.Plan, total, limit float64) []int32 {
	if p.TopP == 0 {
		return h.heavier(p.MinP)
	}
	if p.MinP == 0 && mostHeavy(h.weights) {
		return h.everyone(len(h.weights))
	}
	least := max(p.MinP, negligible(p.TopP, total, len(h.weights)))
	for try := float32(heavy); try > least; try /= 64 {
		ids := h.heavier(try)
		// What is not among them is lighter than try each.
		if total-float64(try)*float64(len(h.weights)-len(ids)) >= limit || h.mass(ids) >= limit {
			return ids
		}
	}
	return h.heavier(least)
}

// heavy is a weight of which few candidates are lighter where a row is flat.
const heavy = 1.0 / 32

// mostHeavy reports whether most of w are, by a sample.
func mostHeavy(w []float32) bool {
	const step = 512
	if len(w) < 16*step {
		return false
	}
	n := 0
	for i := 0; i < len(w); i += step {
		if w[i] >= heavy {
			n++
		}
	}
	return 2*n*step > len(w)
}

// everyone returns n ids, which stay h's and as they are.
func (h *host) everyone(n int) []int32 {
	for i := len(h.all); i < n; i++ {
		h.all = append(h.all, int32(i))
	}
	return h.all[:n]
}

// mass adds the weights of ids in four chains, as one chain waits for every addition.
func (h *host) mass(ids []int32) float64 {
	var a, b, c, d float64
	for ; len(ids) >= 4; ids = ids[4:] {
		a += float64(h.weights[ids[0]])
		b += float64(h.weights[ids[1]])
		c += float64(h.weights[ids[2]])
		d += float64(h.weights[ids[3]])
	}
	for _, i := range ids {
		a += float64(h.weights[i])
	}
	return (a + b) + (c + d)
}

// whole is the distribution that no filter touches. Float64 cannot tell a total
// of 1 from a point.
func (h *host) whole(z []float32, top, temperature float32) Distribution {
	d, factor := h.rows.take(len(z)), scale(temperature)
	for b := range d.blocks {
		from, to := block(b, len(z))
		d.blocks[b] = expInto(d.dense[from:to], z[from:to], top, factor)
		d.total += d.blocks[b]
	}
	if d.total == 1 {
		return Point(model.Token(slices.Index(z, top)))
	}
	return d
}

// negligible is a weight below which top-p drops everything: n such weights
// together are less than the part of total that it drops. The margin is for the
// rounding of float32 sums.
func negligible(topP float32, total float64, n int) float32 {
	return float32(.999 * (1 - float64(topP)) * total / float64(n))
}

// heavier returns the ids, ascending, of weights above 0 and at least least.
func (h *host) heavier(least float32) []int32 {
	n := len(h.weights)
	h.found = slices.Grow(h.found[:0], n+vectorRoom)
	under := float32(0)
	if least > 0 {
		under = math.Nextafter32(least, 0)
	}
	found, _ := above(h.found[:n+vectorRoom], h.weights, 0, under)
	return h.found[:found]
}

// emit returns the distribution over ids, some of whose h.weights may be 0. Few
// weights are taken in float64 again.
func (h *host) emit(ids []int32, z []float32, top, temperature float32) Distribution {
	if len(ids) > max(fewMax, len(z)/4) {
		d := h.rows.take(len(z))
		clear(d.dense)
		for _, i := range ids {
			d.dense[i] = h.weights[i]
		}
		for b := range d.blocks {
			from, to := block(b, len(z))
			d.blocks[b] = sum64(d.dense[from:to])
			d.total += d.blocks[b]
		}
		return d
	}
	tokens, weights := make([]model.Token, 0, len(ids)), make([]float64, 0, len(ids))
	for _, i := range ids {
		w := float64(h.weights[i])
		if len(ids) <= fewMax {
			w = weight(z[i], top, temperature)
		}
		if w > 0 {
			tokens, weights = append(tokens, model.Token(i)), append(weights, w)
		}
	}
	return sparse(tokens, weights)
}
