package verify

import (
	"errors"
	"fmt"

	"foretoken/draft"
	"foretoken/sampler"
)

// A Policy says which speculation a request may ask for.
type Policy int

const (
	GreedyOnly Policy = iota // the default
	Stochastic               // asked for by name
)

// ErrGreedyOnly refuses a drafter at a temperature above 0.
var ErrGreedyOnly = errors.New("verify: temperature > 0 with a drafter needs stochastic speculation asked for")

// Allow reports why a drafter may not draft for a target whose builder has
// fingerprint target. A greedy target's is PointFingerprint.
func (policy Policy) Allow(target string, law draft.Law, r Rule) error {
	switch {
	case law.Tree && !r.Trees():
		return fmt.Errorf("verify: %T judges chains, the drafter proposes trees", r)
	case law.Fingerprint == "" || target == sampler.PointFingerprint:
		return nil
	case policy == GreedyOnly:
		return ErrGreedyOnly
	case law.Fingerprint == sampler.PointFingerprint || law.Fingerprint == target:
		return nil
	}
	return fmt.Errorf("verify: the draft's distributions are %q, the target's %q", law.Fingerprint, target)
}
