package sampler

import (
	"math"

	"foretoken/model"
)

// A key is a logit and its id in one number. Keys ascend from the best logit to
// the worst, and among equal logits from the lowest id to the highest: rank order
// is the order of uint64.
type key uint64

// keyOf returns the key of logit z, which is not NaN, at id.
func keyOf(z float32, id int) key { return key(descending(z))<<32 | key(uint32(id)) }

// descending maps logits to integers in reverse order; the two zeros are equal.
func descending(z float32) uint32 {
	x := math.Float32bits(z + 0) // -0 + 0 is +0
	negative := uint32(int32(x) >> 31)
	return x&negative | ^x&^negative&^(1<<31)
}

func (k key) id() int            { return int(uint32(k)) }
func (k key) token() model.Token { return model.Token(uint32(k)) }

// logit returns the logit of k.
func (k key) logit() float32 {
	x := uint32(k >> 32)
	if x>>31 == 0 {
		return math.Float32frombits(^x &^ (1 << 31))
	}
	return math.Float32frombits(x)
}

// smallest moves the n smallest keys to the front, in no order: Hoare's
// quickselect with a pivot of nine, so that no common pattern is a bad one.
func smallest(keys []key, n int) {
	for n > 0 && n < len(keys) {
		if len(keys) <= 12 {
			insertion(keys)
			return
		}
		pivot := ninther(keys)
		i, j := 0, len(keys)-1
		for i <= j {
			for keys[i] < pivot {
				i++
			}
			for keys[j] > pivot {
				j--
			}
			if i <= j {
				keys[i], keys[j] = keys[j], keys[i]
				i++
				j--
			}
		}
		switch {
		case n <= j+1:
			keys = keys[:j+1]
		case n >= i:
			keys, n = keys[i:], n-i
		default:
			return
		}
	}
}

func insertion(keys []key) {
	for i := 1; i < len(keys); i++ {
		k, j := keys[i], i
		for ; j > 0 && keys[j-1] > k; j-- {
			keys[j] = keys[j-1]
		}
		keys[j] = k
	}
}

func ninther(k []key) key {
	s, n := len(k)/8, len(k)-1
	return median(median(k[0], k[s], k[2*s]), median(k[3*s], k[n/2], k[5*s]), median(k[6*s], k[7*s], k[n]))
}

func median(a, b, c key) key { return max(min(a, b), min(max(a, b), c)) }
