package spec

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"foretoken/model"
)

// A Prefill is a target's session that holds a prompt. Requests on that prompt take
// it in turn instead of computing the prompt anew: Trim makes each find what it would
// have computed, which modeltest.Conform holds backends to.
type Prefill struct {
	session model.Session
	prompt  []model.Token
	took    time.Duration
}

// Prefill computes a prompt for the requests that name it in Request.Prefill. The
// caller closes it after them.
func (s Setup) Prefill(ctx context.Context, prompt []model.Token) (*Prefill, error) {
	if err := (Request{Prompt: prompt, MaxTokens: 1}).check(s.Target.Info()); err != nil {
		return nil, err
	}
	session, err := s.Target.NewSession()
	if err != nil {
		return nil, fmt.Errorf("spec: session of %s: %w", s.Target.Info().Name, err)
	}
	p := &Prefill{session: session, prompt: slices.Clone(prompt)}
	clock := startClock()
	if err := prefill(ctx, session, prompt[:len(prompt)-1]); err != nil {
		return nil, errors.Join(err, session.Close())
	}
	p.took = clock.lap()
	return p, nil
}

// lend returns the session at the end of the prompt, ok false where it cannot go
// back there.
func (p *Prefill) lend() (s model.Session, ok bool) {
	if pipe, can := model.As[model.Pipelined](p.session); can {
		pipe.Pipeline(0)
	}
	return p.session, p.session.Trim(len(p.prompt)-1) == nil
}

// Close frees the session.
func (p *Prefill) Close() error { return p.session.Close() }
