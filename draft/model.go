package draft

import (
	"context"
	"errors"
	"fmt"

	"foretoken/model"
	"foretoken/sampler"
)

// chain drafts with a smaller language model, one token at a time.
type chain struct {
	cursor  model.Cursor
	builder *sampler.Builder
	rng     *sampler.PCG32
	context int // positions the draft model can hold; 0 is no limit
	blind   bool
}

func newModel(env Env) (Drafter, error) {
	if env.Model == nil {
		return nil, errors.New("draft: the model drafter needs a draft model")
	}
	return newChain(env.Model, env)
}

// newChain drafts with m for the target of env.
func newChain(m model.Model, env Env) (Drafter, error) {
	info := m.Info()
	b, err := sampler.NewBuilder(env.Sampler, info.Vocab, env.Target.Info().Real)
	if err != nil {
		return nil, err
	}
	s, err := m.NewSession()
	if err != nil {
		return nil, fmt.Errorf("draft: session of %s: %w", info.Name, err)
	}
	return &chain{model.Cursor{Session: s}, b, env.RNG, info.Context, env.Blind}, nil
}

func (d *chain) Law() Law     { return Law{Fingerprint: d.builder.Fingerprint()} }
func (d *chain) Close() error { return d.cursor.Close() }

// Warm caches the prompt.
func (d *chain) Warm(ctx context.Context, at sampler.Position) error {
	if d.full(at) {
		return ctx.Err()
	}
	_, err := d.cursor.Seek(at.History)
	return errors.Join(err, ctx.Err())
}

// Propose ends early where the draft's context is full or a constraint leaves
// nothing to propose. Neither depends on a drafted token's own draw.
func (d *chain) Propose(ctx context.Context, at sampler.Position, limit int) (Proposal, error) {
	var p Proposal
	d.builder.Recycle()
	if d.blind {
		at.Engine = nil
	}
	for len(p.Tokens) < limit && !d.full(at) {
		if err := ctx.Err(); err != nil {
			return p, err
		}
		logits, err := d.cursor.Seek(at.History)
		if err != nil {
			return p, err
		}
		q, err := d.builder.SamplingDistribution(logits, 0, at)
		if errors.Is(err, sampler.ErrNoToken) {
			return p, nil
		} else if err != nil {
			return p, err
		}
		t := q.Sample(d.rng)
		p.Tokens, p.Dists = append(p.Tokens, t), append(p.Dists, q)
		if at, err = at.Next(t); err != nil {
			return p, err
		}
	}
	return p, ctx.Err()
}

func (d *chain) full(at sampler.Position) bool {
	return d.context > 0 && len(at.History) > d.context
}
