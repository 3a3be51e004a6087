package draft

import (
	"context"

	"foretoken/sampler"
)

// none proposes nothing: plain decoding in the same loop.
type none struct{}

func newNone(Env) (Drafter, error) { return none{}, nil }

func (none) Law() Law     { return Law{} }
func (none) Close() error { return nil }

func (none) Propose(context.Context, sampler.Position, int) (Proposal, error) {
	return Proposal{}, nil
}
