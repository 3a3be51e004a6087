package spec

import (
	"foretoken/draft"
	"foretoken/model"
	"foretoken/sampler"
	"foretoken/verify"
)

// A posterior builds the target's distribution after a node when it is asked.
type posterior struct {
	builder  *sampler.Builder
	logits   model.Logits
	root     sampler.Position
	proposal draft.Proposal
	engines  map[int]sampler.ConstraintEngine // by node, those asked for
	keep     bool                             // remember what was asked
	asked    map[int]sampler.Distribution
}

// after implements verify.Posterior.
func (p *posterior) after(node int) (sampler.Distribution, error) {
	at := p.root
	path := p.proposal.Path(node)
	for _, n := range path {
		at.History = append(at.History, p.proposal.Tokens[n])
	}
	at.Generated += len(path)
	var err error
	if at.Engine, err = p.engine(node); err != nil {
		return sampler.Distribution{}, err
	}
	d, err := p.builder.SamplingDistribution(p.logits, node+1, at)
	if p.keep && err == nil {
		if p.asked == nil {
			p.asked = map[int]sampler.Distribution{}
		}
		p.asked[node] = d
	}
	return d, err
}

// engine returns the grammar state after a node, each made once.
func (p *posterior) engine(node int) (sampler.ConstraintEngine, error) {
	if node < 0 || p.root.Engine == nil {
		return p.root.Engine, nil
	}
	if e, ok := p.engines[node]; ok {
		return e, nil
	}
	before, err := p.engine(p.proposal.ParentOf(node))
	if err != nil {
		return nil, err
	}
	e, err := sampler.After(before, p.proposal.Tokens[node])
	if p.engines == nil {
		p.engines = map[int]sampler.ConstraintEngine{}
	}
	p.engines[node] = e
	return e, err
}

// levels count, for every token taken, the nodes that the rule refused in its place. A node
// that it refused below the end of the text counts nowhere.
func (p *posterior) levels(v verify.Verdict, t taken) ([]level, error) {
	out := make([]level, len(t.tokens))
	depth := map[int]int{-1: 0} // of the children of a node
	stands := map[int]bool{}
	for i, node := range t.path {
		depth[node], stands[node] = i+1, true
	}
	for _, node := range v.Judged {
		parent := p.proposal.ParentOf(node)
		at, on := depth[parent]
		if stands[node] || !on || at >= len(out) {
			continue
		}
		out[at].refused++
		no, err := p.forbids(parent, p.proposal.Tokens[node])
		if err != nil {
			return nil, err
		}
		if no {
			out[at].killed++
		}
	}
	return out, nil
}

// forbids reports whether the constraint rules a token out after a node.
func (p *posterior) forbids(node int, t model.Token) (bool, error) {
	if p.root.Engine == nil {
		return false, nil
	}
	e, err := p.engine(node)
	if err != nil {
		return false, err
	}
	return p.builder.Forbids(e, t)
}

// engineAfter returns the grammar state after the tokens taken.
func (p *posterior) engineAfter(t taken) (sampler.ConstraintEngine, error) {
	e, err := p.engine(t.last())
	if err != nil || !t.hasNext() {
		return e, err
	}
	return sampler.After(e, t.tokens[len(t.tokens)-1])
}
