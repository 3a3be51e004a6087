package spec

import (
	"context"
	"errors"
)

// Generate runs a request to its end. Where ctx ends first, or a step fails, the result is
// what there is, and the error says why; a cancelled one has FinishCancelled.
func Generate(ctx context.Context, s Setup, r Request) (Result, error) {
	g, err := Open(ctx, s, r)
	switch {
	case err != nil && ctx.Err() != nil:
		return Result{Finish: FinishCancelled}, context.Cause(ctx)
	case err != nil:
		return Result{}, err
	}
	err = errors.Join(g.run(ctx), g.Close())
	return g.Result(), err
}

// run is the loop.
func (g *Generation) run(ctx context.Context) error {
	for !g.Done() {
		e, err := g.next(ctx)
		if err != nil && ctx.Err() != nil {
			e, err = g.End(FinishCancelled), context.Cause(ctx)
		}
		if err := errors.Join(err, g.hand(e)); err != nil {
			return err
		}
	}
	return nil
}

// next is one step.
func (g *Generation) next(ctx context.Context) (Emission, error) {
	step, err := g.Begin(ctx)
	if err != nil {
		return Emission{}, err
	}
	logits, err := step.Forward()
	if err != nil {
		return Emission{}, err
	}
	return step.Settle(logits)
}

// hand gives the caller what has come.
func (g *Generation) hand(e Emission) error {
	if g.request.Emit == nil || len(e.Tokens) == 0 && e.Text == "" {
		return nil
	}
	return g.request.Emit(e)
}
