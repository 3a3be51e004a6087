package draft

import (
	"fmt"
	"slices"

	"foretoken/model"
	"foretoken/sampler"
)

// A Proposal is a tree of guessed tokens; a chain is the plain case.
//
// Node i was drawn from Dists[i] given its ancestors and its earlier siblings.
// Whether a node is there, and where, may depend on those too, and never on its
// own token: a drafter that draws and then drops what it does not like has
// another law than it reports. Points may be chosen in any way.
type Proposal struct {
	Tokens []model.Token
	Parent []int // nil: a chain; else Parent[i] < i, -1 the root
	Dists  []sampler.Distribution
}

// Add appends a node of a tree and returns its index.
func (p *Proposal) Add(parent int, t model.Token, q sampler.Distribution) int {
	p.Tokens, p.Parent, p.Dists = append(p.Tokens, t), append(p.Parent, parent), append(p.Dists, q)
	return len(p.Tokens) - 1
}

// ParentOf returns what node i follows, -1 the root.
func (p Proposal) ParentOf(i int) int {
	if p.Parent == nil {
		return i - 1
	}
	return p.Parent[i]
}

// Children returns the nodes that follow a node, in the order to judge them.
func (p Proposal) Children(node int) []int {
	var kids []int
	for i := node + 1; i < len(p.Tokens); i++ {
		if p.ParentOf(i) == node {
			kids = append(kids, i)
		}
	}
	return kids
}

// Path returns the nodes from the root's child down to node.
func (p Proposal) Path(node int) []int {
	var path []int
	for ; node >= 0; node = p.ParentOf(node) {
		path = append(path, node)
	}
	slices.Reverse(path)
	return path
}

// Batch returns what the target has to forward: last, then every node.
func (p Proposal) Batch(last model.Token) model.Batch {
	b := model.Batch{Tokens: append([]model.Token{last}, p.Tokens...)}
	if p.Parent != nil {
		b.Parents = []int{-1}
		for _, parent := range p.Parent {
			b.Parents = append(b.Parents, parent+1)
		}
	}
	return b
}

// Check reports how p breaks the law or the limit.
func (p Proposal) Check(law Law, limit int) error {
	if len(p.Dists) != len(p.Tokens) || p.Parent != nil && (len(p.Parent) != len(p.Tokens) || !law.Tree) {
		return fmt.Errorf("draft: %d tokens, %d parents, %d distributions, tree %v",
			len(p.Tokens), len(p.Parent), len(p.Dists), law.Tree)
	}
	for i := range p.Tokens {
		if up := p.ParentOf(i); up < -1 || up >= i {
			return fmt.Errorf("draft: node %d follows node %d", i, up)
		}
		if depth := len(p.Path(i)); depth > limit {
			return fmt.Errorf("draft: node %d is at depth %d, past %d", i, depth, limit)
		}
		if f := p.Dists[i].Fingerprint(); f != law.Fingerprint {
			return fmt.Errorf("draft: node %d has distribution %q, declared %q", i, f, law.Fingerprint)
		}
	}
	return nil
}
