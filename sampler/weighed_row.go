package sampler

import (
	"slices"

	"foretoken/model"
)

// weighedRow is a plan that may keep a good part of the vocabulary: it weighs every
// logit, finds the last rank that stays, and keeps what does not rank behind it.
func (h *host) weighedRow(z []float32, p *model.Plan) (Distribution, error) {
	top, err := highest(z)
	if err != nil {
		return Distribution{}, err
	}
	filtered := p.TopP > 0 || p.MinP > 0 || p.TopK > 0
	if !filtered && p.Mask == nil && len(z) > rankedMax {
		return h.unfilteredRow(z, top, p.Temperature), nil
	}
	h.weights = slices.Grow(h.weights[:0], len(z))[:len(z)]
	total := expInto(h.weights, z, top, scale(p.FilterTemperature))
	limit := float64(p.TopP) * total
	ids := h.candidates(p, total, limit)
	if p.TopP > 0 || p.TopK > 0 {
		last := h.lastKept(ids, z, top, p, limit)
		if p.FilterTemperature == p.Temperature && keepsMost(ids, z, last) {
			return h.maskedRow(z, last), nil
		}
		h.found = slices.Grow(h.found[:0], len(ids))
		ids = upTo(h.found[:len(ids)], ids, z, last)
	}
	if p.FilterTemperature != p.Temperature {
		expInto(h.weights, z, top, scale(p.Temperature))
	}
	return h.ofWeighed(ids, z, top, p.Temperature), nil
}

// unfilteredRow is the distribution that no filter touches. Float64 cannot tell a total
// of 1 from a point.
func (h *host) unfilteredRow(z []float32, top, temperature float32) Distribution {
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

// upTo writes to dst, which may be ids, those that do not rank behind last, without
// branches.
func upTo(dst, ids []int32, z []float32, last rank) []int32 {
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

// ofWeighed returns the distribution over ids, some of whose h.weights may be 0. Few
// weights are taken in float64 again.
func (h *host) ofWeighed(ids []int32, z []float32, top, temperature float32) Distribution {
	if len(ids) > max(rankedMax, len(z)/4) {
		return h.denseOver(ids, len(z))
	}
	tokens, weights := make([]model.Token, 0, len(ids)), make([]float64, 0, len(ids))
	for _, i := range ids {
		w := float64(h.weights[i])
		if len(ids) <= rankedMax {
			w = weight(z[i], top, temperature)
		}
		if w > 0 {
			tokens, weights = append(tokens, model.Token(i)), append(weights, w)
		}
	}
	return sparse(tokens, weights)
}

// denseOver returns the distribution over ids, out of n, that has a weight for every id.
func (h *host) denseOver(ids []int32, n int) Distribution {
	d := h.rows.take(n)
	clear(d.dense)
	for _, i := range ids {
		d.dense[i] = h.weights[i]
	}
	for b := range d.blocks {
		from, to := block(b, n)
		d.blocks[b] = sum64(d.dense[from:to])
		d.total += d.blocks[b]
	}
	return d
}
