// Package draft proposes tokens for a verifier to judge. A Factory is a drafter with its
// options; it makes a Drafter for each request.
package draft

import (
	"context"

	"foretoken/model"
	"foretoken/sampler"
)

// A Drafter guesses what follows a position. A proposal is a function of the
// position, the drafter's own random stream, and what the target's cache holds:
// no one tells a drafter what was rejected.
type Drafter interface {
	// Propose returns a tree no path of which is longer than limit; the number of
	// nodes is the drafter's own. Nothing is a legal answer, and
	// with limit 0 the only one. A proposal's distributions last until the next.
	Propose(ctx context.Context, at sampler.Position, limit int) (Proposal, error)
	// Law is what holds of every proposal, known before the first.
	Law() Law
	Close() error
}

// A Law is what a request is refused by before it starts.
type Law struct {
	Fingerprint string // of every distribution proposed; "" proposes nothing
	Tree        bool   // may propose more than a chain
}

// A Warmer is a drafter with work to do before round 1, so that a draft model's
// prefill is in no round.
type Warmer interface {
	Warm(ctx context.Context, at sampler.Position) error
}

// A Factory is a drafter's options, and makes the drafter of one request from them. It is
// safe for concurrent use. Its fields with an option tag are what configs and flags set:
// see Options.
type Factory interface {
	New(Env) (Drafter, error)
}

// A TargetOpener is a Factory whose drafters read what an ordinary session of the target
// does not keep, such as hidden states.
type TargetOpener interface {
	// OpenTarget returns a session of target that keeps it, or says why there is none.
	OpenTarget(target model.Model) (model.Session, error)
}

// Env is the request that a drafter is made for.
type Env struct {
	Target  model.Model
	Session model.Session // the target's; of TargetOpener's kind where the factory is one
	Sampler sampler.Config
	RNG     *sampler.PCG32 // the draft stream, advanced in sequence
}

// OpenTarget returns the session of target that the drafters of f want.
func OpenTarget(f Factory, target model.Model) (model.Session, error) {
	if opener, ok := model.As[TargetOpener](f); ok {
		return opener.OpenTarget(target)
	}
	return target.NewSession()
}
