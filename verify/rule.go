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
	Path   []int
	Next   model.Token
	Kind   NextKind
	Judged []int // nodes that the rule kept or refused, in the order it did; Path is among them
}

// A Promise is what a rule keeps of plain decoding.
type Promise int

const (
	// Law: the tokens are distributed as the target alone would emit them.
	Law Promise = iota
	// Tokens: they are the very tokens that plain sampling draws from the same stream.
	Tokens
	// Neither: the rule trades the law for speed.
	Neither
)

// String implements fmt.Stringer.
func (p Promise) String() string { return [...]string{"law", "tokens", "neither"}[p] }

// A Posterior returns the target's distribution after a node, -1 the root. It is
// asked only where the answer matters, because each costs a pass over the
// vocabulary, and never past a node the target gives probability 0.
type Posterior func(node int) (sampler.Distribution, error)

// Streams are the numbers a rule may use.
type Streams struct {
	Coin   *sampler.PCG32          // accept or refuse, in sequence
	Target func(depth int) float32 // the number of the token this round emits after depth others
}

// A Rule is an acceptance rule. It is safe for concurrent use.
type Rule interface {
	// Verify judges a proposal. Where it fails, the verdict has the nodes that stood
	// before.
	Verify(p draft.Proposal, post Posterior, rng Streams) (Verdict, error)
	Trees() bool // whether it judges more than chains
	// Keeps is the promise above temperature 0. At temperature 0 every distribution is
	// a point, and a rule that keeps the law keeps the tokens.
	Keeps() Promise
}

// rules holds the rules that configs and flags know: a new rule is one file and one line
// here.
var rules = map[string]Rule{
	"leviathan": Leviathan{},
	"match":     Match{},
}

// Register adds a rule under a name, for programs that bring one of their own. A name that
// is taken panics.
func Register(name string, r Rule) {
	if _, taken := rules[name]; taken {
		panic("verify: the rule " + name + " is registered already")
	}
	rules[name] = r
}

// Names lists the rules.
func Names() []string { return slices.Sorted(maps.Keys(rules)) }

// ByName returns the named rule.
func ByName(name string) (Rule, error) {
	r, ok := rules[name]
	if !ok {
		return nil, fmt.Errorf("verify: no rule %q, want one of %s", name, strings.Join(Names(), ", "))
	}
	return r, nil
}
