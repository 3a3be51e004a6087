package draft

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"foretoken/model"
	"foretoken/sampler"
)

// Model drafts with a second, smaller language model of the target's vocabulary.
type Model struct {
	Draft ModelRef `option:"model" flag:"draft-model" required:"" help:"a folder, a GGUF file, or a name, with the target's vocabulary"`
	Blind bool     `option:"blind" help:"propose as if there were no constraint"`
}

// New implements Factory.
func (f *Model) New(env Env) (Drafter, error) {
	if f.Draft.Model == nil {
		return nil, errors.New("draft: the drafter model needs a draft model")
	}
	return newSecond(f.Draft.Model, env, f.Blind)
}

// second drafts with a language model of its own, one token at a time.
type second struct {
	sampled
	cursor  model.Cursor
	context int // positions the draft model can hold; 0 is no limit
	words   int // ids that the draft model has, which may be fewer than the target's
}

// newSecond drafts with m for the target of env.
func newSecond(m model.Model, env Env, blind bool) (Drafter, error) {
	info := m.Info()
	d, err := newSampled(info.Vocab, env, blind)
	if err != nil {
		return nil, err
	}
	s, err := m.NewSession()
	if err != nil {
		return nil, fmt.Errorf("draft: session of %s: %w", info.Name, err)
	}
	return &second{d, model.Cursor{Session: s}, info.Context, info.Real}, nil
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

// full reports a history that the draft model cannot hold: one that is longer than its
// context, or that has a word of the target's which it lacks.
func (d *second) full(at sampler.Position) bool {
	return d.context > 0 && len(at.History) > d.context ||
		slices.ContainsFunc(at.History, func(t model.Token) bool { return int(t) >= d.words })
}
