package spec

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"foretoken/draft"
	"foretoken/model"
	"foretoken/sampler"
)

// ErrDone refuses a step of a generation that has ended.
var ErrDone = errors.New("spec: the generation has ended, want no further step")

// A Generation is one request under way. Between steps the target's cache holds every
// token but the last. After an error a Generation can only say its Result and be closed.
type Generation struct {
	setup   Setup
	request Request

	session       model.Session // the target's
	lent          bool          // session is a Prefill's
	drafter       draft.Drafter
	builder       *sampler.Builder
	engine        sampler.ConstraintEngine // after the last token; nil is unconstrained
	numbers, coin *sampler.PCG32           // numbers, the target's stream, is addressed and never advanced

	tokens   []model.Token       // the prompt, what was resumed, and everything emitted
	logprobs []*sampler.Logprobs // of the tokens emitted, where asked for
	limit    int                 // tokens to emit at most
	full     Finish              // the reason to end there

	text   transcript // of the tokens emitted
	ledger ledger     // the rounds
	pace   pace
	facts  Facts
	step   *Step // begun and not settled
	failed error
}

// Begin drafts, and returns the step that the target has to forward. It fails while
// another step is open, and with ErrDone where the generation has ended.
func (g *Generation) Begin(ctx context.Context) (*Step, error) {
	switch {
	case g.failed != nil:
		return nil, fmt.Errorf("spec: a step after one that failed: %w", g.failed)
	case g.Done():
		return nil, ErrDone
	case g.step != nil:
		return nil, errors.New("spec: a step is begun while another is open, want it settled first")
	}
	step, err := g.begin(ctx)
	if err != nil {
		return nil, g.fail(err)
	}
	g.step = step
	return step, nil
}

func (g *Generation) begin(ctx context.Context) (*Step, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	clock := startClock()
	g.builder.Recycle()
	limit := g.length()
	p, err := g.drafter.Propose(ctx, g.position(), limit)
	if err == nil {
		err = p.Check(g.drafter.Law(), limit)
	}
	if err != nil {
		return nil, err
	}
	batch := p.Batch(g.tokens[len(g.tokens)-1])
	return &Step{Batch: batch, Session: g.session, of: g, proposal: p, clock: clock,
		round: Round{Drafted: len(p.Tokens), Read: -bytesRead(g.session), Draft: clock.lap()}}, nil
}

// length is how long the next draft may be: the last token of the budget is the target's.
func (g *Generation) length() int {
	k := g.request.K
	if g.setup.Lengths != nil {
		k = max(0, min(k, g.setup.Lengths.Length(k, g.ledger.judged)))
	}
	return min(k, g.limit-g.emitted()-1)
}

// position is where the next token goes. tokens keeps room for a draft, so that no one who
// extends the history copies it.
func (g *Generation) position() sampler.Position {
	g.tokens = slices.Grow(g.tokens, 64)
	return sampler.Position{History: g.tokens, Generated: len(g.tokens) - len(g.request.Prompt), Engine: g.engine}
}

// first is where the tokens that this generation emits begin.
func (g *Generation) first() int { return len(g.request.Prompt) + len(g.request.Resumed) }

// emitted is the number of tokens so far, those held back among them.
func (g *Generation) emitted() int { return len(g.tokens) - g.first() }

// Done reports whether the text has ended.
func (g *Generation) Done() bool { return g.text.finish != "" }

// Tokens are the tokens emitted so far, lent until the next step. The last of them may be
// held back for a stop string.
func (g *Generation) Tokens() []model.Token { return g.tokens[g.first():] }

// End ends the text where it stands, for a reason of the caller's such as
// FinishCancelled, and returns what was held back. A step that is open is dropped.
func (g *Generation) End(why Finish) Emission {
	g.step = nil
	g.text.end(why)
	return g.emit()
}

func (g *Generation) fail(err error) error {
	g.failed = err
	return err
}

// Close frees the sessions.
func (g *Generation) Close() error {
	err := g.drafter.Close()
	if !g.lent {
		err = errors.Join(err, g.session.Close())
	}
	return err
}

// Result is what came of the request so far.
func (g *Generation) Result() Result {
	f := g.facts
	f.FirstToken, f.GapP50, f.GapP95 = g.pace.first, g.pace.gap(.5), g.pace.gap(.95)
	f.Wall, f.PeakMemory = time.Since(g.pace.start), peakMemory()
	return Result{Tokens: g.Tokens()[:g.text.sent], Text: string(g.text.said[:g.text.told]), Logprobs: g.logprobs[:min(len(g.logprobs), g.text.sent)],
		Finish: g.text.finish, Rounds: g.ledger.final, Facts: f}
}
