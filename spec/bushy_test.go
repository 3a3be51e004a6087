package spec_test

import (
	"context"
	"math/rand/v2"

	"foretoken/draft"
	"foretoken/model"
	"foretoken/sampler"
	"foretoken/spec"
	"foretoken/verify"
)

// bushy drafts random trees: siblings are drawn from a model's distribution without
// replacement, and the shape depends on nothing that is drawn.
type bushy struct {
	of    model.Model
	shape uint64 // of the trees
	most  int    // nodes
}

func (f bushy) New(e draft.Env) (draft.Drafter, error) {
	s, err := f.of.NewSession()
	if err != nil {
		return nil, err
	}
	info := f.of.Info()
	b, err := sampler.NewBuilder(e.Sampler, info.Vocab, e.Target.Info().Real)
	return &bush{bushy: f, cursor: model.Cursor{Session: s}, builder: b, draw: e.RNG}, err
}

type bush struct {
	bushy
	cursor  model.Cursor
	builder *sampler.Builder
	draw    *sampler.PCG32
}

func (d *bush) Law() draft.Law { return draft.Law{Fingerprint: d.builder.Fingerprint(), Tree: true} }

func (d *bush) Close() error { return d.cursor.Close() }

func (d *bush) Propose(ctx context.Context, at sampler.Position, limit int) (draft.Proposal, error) {
	var p draft.Proposal
	if limit == 0 {
		return p, ctx.Err()
	}
	shape := rand.New(rand.NewPCG(d.shape, uint64(len(at.History))))
	for range 1 + shape.IntN(d.most) {
		parent := shape.IntN(len(p.Tokens)+1) - 1
		if len(p.Path(parent)) >= limit {
			continue
		}
		q, err := d.given(p, parent, at)
		if err != nil {
			return p, err
		}
		if q.Len() == 0 {
			continue
		}
		p.Add(parent, q.Sample(d.draw), q)
	}
	return p, ctx.Err()
}

// given is the distribution of one more child of a node, given its siblings. It is none
// where the siblings leave nothing.
func (d *bush) given(p draft.Proposal, parent int, at sampler.Position) (q sampler.Distribution, err error) {
	for _, node := range p.Path(parent) {
		if at, err = at.Next(p.Tokens[node]); err != nil {
			return q, err
		}
	}
	l, err := d.cursor.Seek(at.History)
	if err != nil {
		return q, err
	}
	if q, err = d.builder.SamplingDistribution(l, 0, at); err != nil {
		return q, err
	}
	for _, sibling := range p.Children(parent) {
		if q.IsPoint() {
			return sampler.Distribution{}, nil
		}
		q = sampler.Residual(q, sampler.Point(p.Tokens[sibling]))
	}
	return q, nil
}

// siblings is recursive rejection over a tree: each child of a node is judged in turn by
// what is left of the target's distribution (Miao et al. 2024, SpecInfer, section 4.3).
type siblings struct{}

func (siblings) Trees() bool { return true }

func (siblings) Keeps() verify.Promise { return verify.Law }

func (siblings) Verify(d draft.Proposal, post verify.Posterior, rng verify.Streams) (v verify.Verdict, err error) {
	for node := -1; ; {
		p, err := post(node)
		if err != nil {
			return v, err
		}
		kept := -1
		for _, child := range d.Children(node) {
			x, q := d.Tokens[child], d.Dists[child]
			v.Judged = append(v.Judged, child)
			if px := p.Prob(x); px > 0 && float64(rng.Coin.Float32())*q.Prob(x) < px {
				kept = child
				break
			}
			p = sampler.Residual(p, q)
			v.Kind = verify.Correction
		}
		if kept < 0 {
			v.Next = p.Draw(rng.Target(len(v.Path)))
			return v, nil
		}
		v.Path, v.Kind, node = append(v.Path, kept), verify.Bonus, kept
	}
}

// treeRig drafts trees for a target under a rule.
func treeRig(target, drafts model.Model, rule verify.Rule, shape uint64) rig {
	return rig{target: target, drafts: drafts, drafter: "none", rule: "match", prompt: repeats, seed: 1,
		fault: func(_ rig, s *spec.Setup, _ *spec.Request) {
			s.Drafter, s.Rule = bushy{drafts, shape, 9}, rule
		}}
}
