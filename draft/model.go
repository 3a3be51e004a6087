package draft

import (
	"context"
	"errors"

	"foretoken/model"
	"foretoken/sampler"
)

// A predictor is a draft model: it answers what it would sample at a position.
type predictor struct {
	cursor  model.Cursor
	builder *sampler.Builder
	rng     *sampler.PCG32
	blind   bool
}

func newPredictor(env Env) (*predictor, error) {
	if env.Model == nil {
		return nil, errors.New("draft: no draft model")
	}
	b, err := sampler.NewBuilder(env.Sampler, env.Model.Info().Vocab, env.Real)
	if err != nil {
		return nil, err
	}
	s, err := env.Model.NewSession()
	return &predictor{model.Cursor{Session: s}, b, env.RNG, env.Blind}, err
}

// start is where a proposal begins, as far as the drafter knows.
func (d *predictor) start(at sampler.Position) sampler.Position {
	if d.blind {
		at.Engine = nil
	}
	return at
}

// at returns the draft's distribution at a position. It is false where a
// constraint leaves nothing to propose.
func (d *predictor) at(at sampler.Position) (sampler.Distribution, bool, error) {
	logits, err := d.cursor.Seek(at.History)
	if err != nil {
		return sampler.Distribution{}, false, err
	}
	q, err := d.builder.SamplingDistribution(logits, 0, at)
	if errors.Is(err, sampler.ErrNoToken) {
		return q, false, nil
	}
	return q, err == nil, err
}

// best returns the draft's n best tokens at a position, fewer where a constraint
// leaves fewer.
func (d *predictor) best(at sampler.Position, n int) ([]model.Token, error) {
	logits, err := d.cursor.Seek(at.History)
	if err != nil {
		return nil, err
	}
	ids, err := d.builder.Best(logits, 0, at, n)
	if errors.Is(err, sampler.ErrNoToken) {
		err = nil
	}
	return ids, err
}

// Warm caches the prompt, so that its prefill is in no round.
func (d *predictor) Warm(_ context.Context, at sampler.Position) error {
	_, err := d.cursor.Seek(at.History)
	return err
}

func (d *predictor) Close() error { return d.cursor.Close() }

// chain drafts with a smaller language model, one token at a time.
type chain struct{ *predictor }

func newModel(env Env) (Drafter, error) {
	p, err := newPredictor(env)
	return chain{p}, err
}

func (d chain) Law() Law { return Law{Fingerprint: d.builder.Fingerprint()} }

func (d chain) Propose(ctx context.Context, at sampler.Position, limit int) (Proposal, error) {
	var p Proposal
	at = d.start(at)
	for len(p.Tokens) < limit {
		q, ok, err := d.at(at)
		if !ok {
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
