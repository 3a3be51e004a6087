package draft

import (
	"context"

	"foretoken/sampler"
)

// None proposes nothing: plain decoding in the same loop.
type None struct{}

// New implements Factory.
func (None) New(Env) (Drafter, error) { return none{}, nil }

// none is None at work.
type none struct{}

func (none) Law() Law     { return Law{} }
func (none) Close() error { return nil }

func (none) Propose(context.Context, sampler.Position, int) (Proposal, error) {
	return Proposal{}, nil
}
