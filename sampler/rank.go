package sampler

import (
	"math"

	"foretoken/model"
)

// A rank is the place of a logit in its row's ranking, in one number: ranks ascend from
// the best logit to the worst, and among equal logits from the lowest id to the highest.
type rank uint64

// rankOf returns the rank of logit z, which is not NaN, at id.
func rankOf(z float32, id int) rank { return rank(descending(z))<<32 | rank(uint32(id)) }

// descending maps logits to integers in reverse order; the two zeros are equal.
func descending(z float32) uint32 {
	x := math.Float32bits(z + 0) // -0 + 0 is +0
	negative := uint32(int32(x) >> 31)
	return x&negative | ^x&^negative&^(1<<31)
}

func (r rank) id() int            { return int(uint32(r)) }
func (r rank) token() model.Token { return model.Token(uint32(r)) }

// logit returns the logit at r.
func (r rank) logit() float32 {
	x := uint32(r >> 32)
	if x>>31 == 0 {
		return math.Float32frombits(^x &^ (1 << 31))
	}
	return math.Float32frombits(x)
}

func byID(a, b rank) int { return a.id() - b.id() }

// lowest is below every logit that can be drawn.
var lowest = float32(math.Inf(-1))
