package draft

import (
	"context"
	"errors"
	"fmt"

	"foretoken/model"
	"foretoken/sampler"
)

// eagle is Eagle at work. Its cache holds pairs of state i and token i+1; past the states
// that the target gave it feeds back its own.
type eagle struct {
	sampled
	session model.HeadSession
	tap     model.HiddenTap
	context int           // pairs the head can hold; 0 is no limit
	held    []model.Token // tokens of the pairs whose state is the target's
}

// Eagle drafts from the target's hidden states with a head (EAGLE-3, Li et al. 2025).
type Eagle struct {
	Head  HeadRef `option:"head" required:"" help:"the folder of a head trained for the target, or its name"`
	Blind bool    `option:"blind" help:"propose as if there were no constraint"`
}

// OpenTarget implements TargetOpener: a session that keeps the states the head reads.
func (f *Eagle) OpenTarget(target model.Model) (model.Session, error) {
	if f.Head.Head == nil {
		return nil, errNoHead
	}
	return f.Head.Head.NewTarget(target)
}

var errNoHead = errors.New("draft: eagle needs a head")

// New implements Factory.
func (f *Eagle) New(env Env) (Drafter, error) {
	if f.Head.Head == nil {
		return nil, errNoHead
	}
	tap, ok := model.As[model.HiddenTap](env.Session)
	if !ok {
		return nil, fmt.Errorf("draft: eagle needs a target session that keeps hidden states, %T does not", env.Session)
	}
	info := f.Head.Head.Info()
	d, err := newSampled(info.Vocab, env, f.Blind)
	if err != nil {
		return nil, err
	}
	s, err := f.Head.Head.NewSession()
	if err != nil {
		return nil, fmt.Errorf("draft: session of %s: %w", info.Name, err)
	}
	return &eagle{sampled: d, session: s, tap: tap, context: info.Context}, nil
}

func (d *eagle) Close() error { return d.session.Close() }

// Warm caches the prompt's pairs.
func (d *eagle) Warm(ctx context.Context, at sampler.Position) error {
	if d.full(at) {
		return ctx.Err()
	}
	_, err := d.seek(at.History)
	return errors.Join(err, ctx.Err())
}

func (d *eagle) Propose(ctx context.Context, at sampler.Position, limit int) (Proposal, error) {
	given := len(at.History)
	d.pipeline(d.session, limit)
	return d.chain(ctx, at, limit, d.full, func(history []model.Token) (model.Logits, error) {
		if len(history) == given {
			return d.seek(history)
		}
		return d.feedBack(history[len(history)-1])
	})
}

// full reports a history that has no pair yet, or more than the head can hold.
func (d *eagle) full(at sampler.Position) bool {
	return len(at.History) < 2 || d.context > 0 && len(at.History)-1 > d.context
}

// seek makes the cache hold the pairs of a history, every state the target's, and
// returns the logits after the last pair. That pair is always forwarded.
func (d *eagle) seek(history []model.Token) (model.Logits, error) {
	tokens := history[1:]
	n := model.Common(d.held, tokens[:len(tokens)-1])
	if err := d.session.Trim(n); err != nil {
		return nil, err
	}
	d.held = d.held[:n]
	states, err := d.tap.Hidden(n, len(tokens))
	if err != nil {
		return nil, err
	}
	l, err := d.session.ForwardStates(states, tokens[n:], 1)
	if err == nil {
		d.held = append(d.held, tokens[n:]...)
	}
	return l, err
}

// feedBack lets the head's last state stand in for the target's.
func (d *eagle) feedBack(t model.Token) (model.Logits, error) {
	n := d.session.Len()
	states, err := d.session.Hidden(n-1, n)
	if err != nil {
		return nil, err
	}
	return d.session.ForwardStates(states, []model.Token{t}, 1)
}
