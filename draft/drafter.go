// Package draft proposes tokens for a verifier to judge.
package draft

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"foretoken/model"
	"foretoken/sampler"
)

// A Drafter guesses what follows a position. A proposal is a function of the
// position, the drafter's own random stream, and what the target's cache holds:
// no one tells a drafter what was rejected.
type Drafter interface {
	// Propose returns a tree no path of which is longer than limit; how many
	// nodes it has is the drafter's own affair. Nothing is a legal answer, and
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

// Env is what a factory may build a drafter from.
type Env struct {
	Options
	Target  model.Model
	Tap     model.HiddenTap // eagle: the target's session; see OpenTarget
	Sampler sampler.Config
	RNG     *sampler.PCG32 // the draft stream, advanced in sequence
}

// drafters is the registry: a new drafter is one file and one line here.
var drafters = map[string]func(Env) (Drafter, error){
	"eagle":     newEagle,
	"none":      newNone,
	"ngram":     newNgram,
	"model":     newModel,
	"layerskip": newLayerSkip,
}

// Names lists the drafters.
func Names() []string { return slices.Sorted(maps.Keys(drafters)) }

// New builds the named drafter.
func New(name string, env Env) (Drafter, error) {
	f, ok := drafters[name]
	if !ok {
		return nil, fmt.Errorf("draft: no drafter %q (have %s)", name, strings.Join(Names(), ", "))
	}
	return f(env)
}
