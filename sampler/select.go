package sampler

import (
	"slices"

	"foretoken/model"
)

// best returns the up to k best logits above -Inf, in order. They are h's until its next
// use. It collects candidates above a threshold that rises each time their buffer is
// full; later equals have higher ids and rank below.
func (h *host) best(z []float32, k int) ([]rank, error) {
	k = min(k, len(z))
	if k < 1 {
		return nil, nil
	}
	room := max(4*k, 256)
	h.ranks, h.found = slices.Grow(h.ranks[:0], room), slices.Grow(h.found[:0], room)
	ranks, least := h.ranks, lowest
	for next := 0; next < len(z); {
		var n int
		n, next = above(h.found[:room-len(ranks)], z, next, least)
		for _, i := range h.found[:n] {
			v := z[i]
			if isNaN(v) || isInf(v, 1) {
				return nil, &LogitError{Token: model.Token(i), Value: v}
			}
			ranks = append(ranks, rankOf(v, int(i)))
		}
		if len(ranks) > k {
			selectFirst(ranks, k)
			ranks = ranks[:k]
			least = slices.Max(ranks).logit()
		}
	}
	if len(ranks) == 0 {
		return nil, ErrNoToken
	}
	slices.Sort(ranks)
	return ranks, nil
}

// selectFirst moves the n first ranks to the front, in no order: Hoare's quickselect with
// a pivot of nine, so that no common pattern is a bad one.
func selectFirst(ranks []rank, n int) {
	for n > 0 && n < len(ranks) {
		if len(ranks) <= 12 {
			insertion(ranks)
			return
		}
		pivot := ninther(ranks)
		i, j := 0, len(ranks)-1
		for i <= j {
			for ranks[i] < pivot {
				i++
			}
			for ranks[j] > pivot {
				j--
			}
			if i <= j {
				ranks[i], ranks[j] = ranks[j], ranks[i]
				i++
				j--
			}
		}
		switch {
		case n <= j+1:
			ranks = ranks[:j+1]
		case n >= i:
			ranks, n = ranks[i:], n-i
		default:
			return
		}
	}
}

func insertion(ranks []rank) {
	for i := 1; i < len(ranks); i++ {
		r, j := ranks[i], i
		for ; j > 0 && ranks[j-1] > r; j-- {
			ranks[j] = ranks[j-1]
		}
		ranks[j] = r
	}
}

func ninther(r []rank) rank {
	s, n := len(r)/8, len(r)-1
	return median(median(r[0], r[s], r[2*s]), median(r[3*s], r[n/2], r[5*s]), median(r[6*s], r[7*s], r[n]))
}

func median(a, b, c rank) rank { return max(min(a, b), min(max(a, b), c)) }
