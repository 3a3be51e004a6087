package spec

import (
	"foretoken/draft"
	"foretoken/model"
	"foretoken/sampler"
)

// A posterior builds the target's distribution after a node when it is asked.
type posterior struct {
	builder  *sampler.Builder
	logits   model.Logits
	root     sampler.Position
	proposal draft.Proposal
	engines  map[int]sampler.ConstraintEngine // by node, those asked for
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
	return p.builder.SamplingDistribution(p.logits, node+1, at)
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

// forbids counts those of tokens that the constraint rules out after a node.
func (p *posterior) forbids(node int, tokens []model.Token) (n int, err error) {
	if len(tokens) == 0 || p.root.Engine == nil {
		return 0, nil
	}
	e, err := p.engine(node)
	if err != nil {
		return 0, err
	}
	for _, t := range tokens {
		no, err := p.builder.Forbids(e, t)
		if err != nil {
			return 0, err
		}
		if no {
			n++
		}
	}
	return n, nil
}

// engineAfter returns the grammar state after what a round emitted.
func (p *posterior) engineAfter(out emitted) (sampler.ConstraintEngine, error) {
	node := -1
	if len(out.path) > 0 {
		node = out.path[len(out.path)-1]
	}
	e, err := p.engine(node)
	if err != nil || !out.hasNext() {
		return e, err
	}
	return sampler.After(e, out.tokens[len(out.tokens)-1])
}
