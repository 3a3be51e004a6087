package draft

import (
	"context"
	"errors"

	"foretoken/model"
	"foretoken/sampler"
)

// sampled is what drafters share that draw token after token from a model of their
// own.
type sampled struct {
	builder *sampler.Builder
	rng     *sampler.PCG32
	blind   bool
}

func newSampled(vocab int, env Env, blind bool) (sampled, error) {
	b, err := sampler.NewBuilder(env.Sampler, vocab, env.Target.Info().Real)
	return sampled{b, env.RNG, blind}, err
}

func (d *sampled) Law() Law { return Law{Fingerprint: d.builder.Fingerprint()} }

// pipeline lets a session begin each step of a chain of limit before it is asked for,
// where the tokens are its best ids.
func (d *sampled) pipeline(session any, limit int) {
	if p, ok := model.As[model.Pipelined](session); ok && d.builder.Greedy() {
		p.Pipeline(limit)
	}
}

// chain proposes at most limit tokens, each drawn from what logits says of the history
// before it. It ends early where the model is full or a constraint leaves nothing to
// propose. Neither depends on a drafted token's own draw.
func (d *sampled) chain(ctx context.Context, at sampler.Position, limit int, full func(sampler.Position) bool,
	logits func(history []model.Token) (model.Logits, error)) (p Proposal, err error) {
	d.builder.Recycle()
	if d.blind {
		at.Engine = nil
	}
	for len(p.Tokens) < limit && !full(at) {
		if err := ctx.Err(); err != nil {
			return p, err
		}
		l, err := logits(at.History)
		if err != nil {
			return p, err
		}
		q, err := d.builder.SamplingDistribution(l, 0, at)
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
