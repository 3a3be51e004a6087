package draft

import (
	"context"
	"errors"
	"fmt"

	"foretoken/model"
	"foretoken/sampler"
)

// second drafts with a smaller language model, one token at a time.
type second struct {
	sampled
	cursor  model.Cursor
	context int // positions the draft model can hold; 0 is no limit
}

func newModel(env Env) (Drafter, error) {
	if env.Model == nil {
		return nil, errors.New("draft: the model drafter needs a draft model")
	}
	return newSecond(env.Model, env)
}

// newSecond drafts with m for the target of env.
func newSecond(m model.Model, env Env) (Drafter, error) {
	info := m.Info()
	d, err := newSampled(info.Vocab, env)
	if err != nil {
		return nil, err
	}
	s, err := m.NewSession()
	if err != nil {
		return nil, fmt.Errorf("draft: session of %s: %w", info.Name, err)
	}
	return &second{d, model.Cursor{Session: s}, info.Context}, nil
}

func (d *second) Close() error { return d.cursor.Close() }

// Warm caches the prompt.
func (d *second) Warm(ctx context.Context, at sampler.Position) error {
	if d.full(at) {
		return ctx.Err()
	}
	_, err := d.cursor.Seek(at.History)
	return errors.Join(err, ctx.Err())
}

func (d *second) Propose(ctx context.Context, at sampler.Position, limit int) (Proposal, error) {
	d.pipeline(d.cursor.Session, limit)
	return d.chain(ctx, at, limit, d.full, d.cursor.Seek)
}

func (d *second) full(at sampler.Position) bool {
	return d.context > 0 && len(at.History) > d.context
}
