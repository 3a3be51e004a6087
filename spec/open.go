package spec

import (
	"context"
	"errors"
	"fmt"
	"time"

	"foretoken/draft"
	"foretoken/model"
)

// Open begins a request: it refuses one that cannot run, opens the sessions, and computes
// the prompt in both. The caller closes the generation.
func Open(ctx context.Context, s Setup, r Request) (*Generation, error) {
	started := time.Now()
	if err := r.check(s.Target.Info()); err != nil {
		return nil, err
	}
	g, err := s.generation(r)
	if err != nil {
		return nil, err
	}
	g.pace.start = started
	if g.lent { // as if the prompt had been computed here
		g.facts.PrefillTarget = r.Prefill.took
		g.pace.start = started.Add(-r.Prefill.took)
	}
	if err := g.start(ctx); err != nil {
		return nil, errors.Join(err, g.Close())
	}
	return g, nil
}

// start refuses a pair that may not run, and brings the caches to the invariant.
func (g *Generation) start(ctx context.Context) error {
	law := g.drafter.Law()
	g.facts.TargetLaw, g.facts.DraftLaw = g.builder.Fingerprint(), law.Fingerprint
	if err := g.setup.Policy.Allow(g.builder.Fingerprint(), law, g.setup.Rule); err != nil {
		return err
	}
	if _, ok := model.As[model.TreeForwarder](g.session); law.Tree && !ok {
		return fmt.Errorf("spec: the drafter proposes trees, and %T forwards none", g.session)
	}
	clock := startClock()
	g.facts.Setup = clock.last.Sub(g.pace.start) - g.facts.PrefillTarget
	err := prefill(ctx, g.session, g.tokens[g.session.Len():len(g.tokens)-1])
	g.facts.PrefillTarget += clock.lap()
	if err != nil {
		return err
	}
	if w, ok := model.As[draft.Warmer](g.drafter); ok {
		err = w.Warm(ctx, g.position())
	}
	g.facts.PrefillDraft = clock.lap()
	if p, ok := model.As[model.Pipelined](g.session); ok && g.request.K == 0 && g.builder.Greedy() {
		p.Pipeline(g.limit)
	}
	return err
}

// prefillBlock is how many prompt tokens are forwarded between two looks at the
// context.
const prefillBlock = 256

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
