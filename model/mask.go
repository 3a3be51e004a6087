package model

import "math/bits"

// A Mask is a set of token ids as bits: id t is bit t%64 of word t/64. Ids past
// its words are not in the set.
type Mask []uint64

// NewMask returns the empty set with room for ids [0, n).
func NewMask(n int) Mask { return make(Mask, MaskWords(n)) }

// MaskWords is the number of words that ids [0, n) take.
func MaskWords(n int) int { return (n + 63) / 64 }

// Has reports whether t is in the set.
func (m Mask) Has(t Token) bool {
	return t >= 0 && int(t)>>6 < len(m) && m[t>>6]>>(t&63)&1 == 1
}

// Add puts t in the set. An id m has no word for panics.
func (m Mask) Add(t Token) { m[t>>6] |= 1 << (t & 63) }

// Remove takes t out of the set. An id m has no word for panics.
func (m Mask) Remove(t Token) { m[t>>6] &^= 1 << (t & 63) }

// Fill makes m the ids [0, n).
func (m Mask) Fill(n int) {
	for i := range m {
		switch left := n - i*64; {
		case left >= 64:
			m[i] = ^uint64(0)
		case left > 0:
			m[i] = 1<<left - 1
		default:
			m[i] = 0
		}
	}
}

// Len is the number of ids in the set.
func (m Mask) Len() int {
	n := 0
	for _, w := range m {
		n += bits.OnesCount64(w)
	}
	return n
}

// Bools writes m as a vocabulary-wide allow list: dst[t] is m.Has(t).
func (m Mask) Bools(dst []bool) {
	for t := range dst {
		dst[t] = m.Has(Token(t))
	}
}
