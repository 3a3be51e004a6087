// Package verify decides how much of a proposal the target keeps.
package verify

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"foretoken/draft"
	"foretoken/model"
	"foretoken/sampler"
)

// A NextKind says why Next is what it is.
type NextKind int

const (
	Bonus      NextKind = iota // nothing drafted there was refused
	Correction                 // everything drafted there was refused
)

// String implements fmt.Stringer.
func (k NextKind) String() string {
	if k == Correction {
		return "correction"
	}
	return "bonus"
}

// A Verdict is the outcome of one round: the nodes of Path stand, from the
// root's child down, and Next follows them.
type Verdict struct {
	Path []int
	Next model.Token
	Kind NextKind
}

// A Posterior returns the target's distribution after a node, -1 the root. It is
// asked only where the answer matters, because each costs a pass over the
// vocabulary, and never past a node the target gives probability 0.
type Posterior func(node int) (sampler.Distribution, error)

// Streams are the numbers a rule may use.
type Streams struct {
	Coin   *sampler.PCG32          // accept or refuse, in sequence
	Target func(depth int) float32 // the number of the token this round emits after depth others
}

// A Verifier is an acceptance rule. Every rule here is lossless: the tokens it
// emits are distributed as the target alone would emit them.
type Verifier interface {
	Verify(p draft.Proposal, post Posterior, rng Streams) (Verdict, error)
	Trees() bool // whether it judges more than chains
}

// rules is the registry: a new rule is one file and one line here.
var rules = map[string]Verifier{
	"leviathan": Leviathan{},
	"match":     Match{},
}

// Names lists the rules.
func Names() []string { return slices.Sorted(maps.Keys(rules)) }

// New returns the named rule.
func New(name string) (Verifier, error) {
	v, ok := rules[name]
	if !ok {
		return nil, fmt.Errorf("verify: no rule %q (have %s)", name, strings.Join(Names(), ", "))
	}
	return v, nil
}
