package verify_test

import (
	"fmt"

	"foretoken/draft"
	"foretoken/model"
	"foretoken/sampler"
	"foretoken/verify"
)

// A rule is asked with a proposal, the target's distributions and numbers to draw with: here
// the target is sure of 1, then of 2, and the draft guessed 1, then 3.
func ExampleLeviathan() {
	d := draft.Proposal{Tokens: []model.Token{1, 3}, Dists: []sampler.Distribution{sampler.Point(1), sampler.Point(3)}}
	sure := func(node int) (sampler.Distribution, error) { return sampler.Point(model.Token(node + 2)), nil }
	v, err := verify.Leviathan{}.Verify(d, sure, verify.Streams{Coin: sampler.NewPCG32(1, 1), Target: func(int) float32 { return .5 }})
	fmt.Println("kept", v.Path, "then", v.Next, v.Kind, "judged", v.Judged, err)
	// Output: kept [0] then 2 correction judged [0 1] <nil>
}
