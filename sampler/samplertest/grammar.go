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
func (e NoRepeat) Mask(allowed []bool) error {
	for i := range allowed {
		allowed[i] = model.Token(i) != e.Last
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
