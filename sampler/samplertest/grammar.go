// Package samplertest holds a grammar small enough to check by hand.
package samplertest

import (
	"fmt"

	"foretoken/model"
	"foretoken/sampler"
)

// NoRepeat forbids a token from following itself.
type NoRepeat struct{ Last model.Token }

// WantsMask implements sampler.ConstraintEngine.
func (NoRepeat) WantsMask() bool { return true }

// Mask implements sampler.ConstraintEngine.
func (e NoRepeat) Mask(allowed model.Mask) error {
	allowed.Fill(64 * len(allowed))
	if allowed.Has(e.Last) {
		allowed.Remove(e.Last)
	}
	return nil
}

// Next implements sampler.ConstraintEngine.
func (e NoRepeat) Next(t model.Token) (sampler.ConstraintEngine, error) {
	if t == e.Last {
		return nil, fmt.Errorf("samplertest: token %d repeats", t)
	}
	return NoRepeat{t}, nil
}
