package spec

import (
	"context"
	"errors"
	"time"

	"foretoken/model"
)

// Generate runs a request to its end. Where ctx ends first, the result is what
// there is, its Finish says so, and the error is the context's.
func Generate(ctx context.Context, s Setup, r Request) (Result, error) {
	started := time.Now()
	if err := r.check(s.Target.Info()); err != nil {
		return Result{}, err
	}
	d, err := s.decoder(r)
	if err != nil {
		return Result{}, err
	}
	g := generation{Decoder: d, request: r, out: output{eos: r.EOS, stop: r.Stop, text: r.Text}, pace: pace{start: started}}
	if d.lent { // as if the prompt had been computed here
		g.facts.PrefillTarget = r.Prefill.took
		g.pace.start = started.Add(-r.Prefill.took)
	}
	d.Ends = g.out.add
	err = errors.Join(g.run(ctx, s), d.close())
	if ctx.Err() != nil && g.out.finish == "" {
		g.out.end(FinishCancelled)
		err = errors.Join(context.Cause(ctx), g.deliver())
	}
	return g.result(), err
}

// A generation is a request under way.
type generation struct {
	*Decoder
	request Request
	out     output
	pace    pace
	rounds  []Round
	facts   Facts
}

func (g *generation) run(ctx context.Context, s Setup) error {
	g.facts.TargetLaw, g.facts.DraftLaw = g.Builder.Fingerprint(), g.Drafter.Law().Fingerprint
	g.facts.Setup = time.Since(g.pace.start) - g.facts.PrefillTarget
	target, drafter, err := g.Start(ctx, s.Policy)
	g.facts.PrefillTarget, g.facts.PrefillDraft = g.facts.PrefillTarget+target, drafter
	if err != nil {
		return err
	}
	limit, full := g.request.limit(s.Target.Info())
	if p, ok := g.Target.(model.Pipelined); ok && g.request.K == 0 && g.Builder.Greedy() {
		p.Pipeline(limit)
	}
	for g.out.finish == "" {
		r, err := g.Round(ctx, g.request.K, limit-len(g.out.tokens))
		if err != nil {
			return err
		}
		clock := startClock()
		g.rounds = append(g.rounds, r)
		if len(g.out.tokens) == limit {
			g.out.end(full)
		}
		if err := g.deliver(); err != nil {
			return err
		}
		g.rounds[len(g.rounds)-1].Rest += clock.lap()
	}
	return nil
}

// deliver hands on what is certain.
func (g *generation) deliver() error {
	uncount(g.rounds, g.out.cut())
	c := g.out.release()
	if done := g.out.sent; len(g.Logprobs) >= done && g.Logprobs != nil {
		c.Logprobs = g.Logprobs[done-len(c.Tokens) : done : done]
	}
	if len(c.Tokens) == 0 && c.Text == "" {
		return nil
	}
	g.pace.tick()
	if g.request.Emit == nil {
		return nil
	}
	return g.request.Emit(c)
}

func (g *generation) result() Result {
	f := g.facts
	f.FirstToken, f.GapP50, f.GapP95 = g.pace.first, g.pace.gap(.5), g.pace.gap(.95)
	f.Wall, f.PeakMemory = time.Since(g.pace.start), peakMemory()
	return Result{Tokens: g.out.tokens, Text: string(g.out.said), Logprobs: g.Logprobs[:min(len(g.Logprobs), len(g.out.tokens))],
		Finish: g.out.finish, Rounds: g.rounds, Facts: f}
}
