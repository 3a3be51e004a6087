package spec

import (
	"context"
	"fmt"
	"time"

	"foretoken/draft"
	"foretoken/model"
	"foretoken/verify"
)

// prefillBlock is how many prompt tokens are forwarded between two looks at the
// context.
const prefillBlock = 256

// Start refuses what cannot run, and brings the caches to the invariant. Tokens
// past the prompt are a generation resumed: Engine stands after the last.
func (d *Decoder) Start(ctx context.Context, policy verify.Policy) (target, drafter time.Duration, err error) {
	if d.Prompt < 1 || d.Prompt > len(d.Tokens) {
		return 0, 0, fmt.Errorf("spec: prompt of %d in %d tokens, want at least 1", d.Prompt, len(d.Tokens))
	}
	law := d.Drafter.Law()
	if err := policy.Allow(d.Builder.Fingerprint(), law, d.Verifier); err != nil {
		return 0, 0, err
	}
	if _, ok := d.Target.(model.TreeForwarder); law.Tree && !ok {
		return 0, 0, fmt.Errorf("spec: %T forwards no trees", d.Target)
	}
	clock := startClock()
	if err := prefill(ctx, d.Target, d.Tokens[d.Target.Len():len(d.Tokens)-1]); err != nil {
		return clock.lap(), 0, err
	}
	target = clock.lap()
	if w, ok := d.Drafter.(draft.Warmer); ok {
		err = w.Warm(ctx, d.position())
	}
	return target, clock.lap(), err
}

// prefill caches tokens, a block at a time.
func prefill(ctx context.Context, s model.Session, todo []model.Token) error {
	for len(todo) > 0 {
		if err := ctx.Err(); err != nil {
			return err
		}
		n := min(prefillBlock, len(todo))
		l, err := s.Forward(todo[:n], 0)
		if err == nil {
			err = l.Wait()
		}
		if err != nil {
			return fmt.Errorf("spec: prefill: %w", err)
		}
		todo = todo[n:]
	}
	return ctx.Err()
}
