// Package spec runs speculative decoding: draft, verify, accept, roll back. One
// loop serves every drafter, acceptance rule and backend.
package spec

import (
	"context"
	"slices"

	"foretoken/draft"
	"foretoken/model"
	"foretoken/sampler"
	"foretoken/verify"
)

// A Decoder is one generation in progress. Between rounds the target's cache
// holds every token but the last: Target.Len() == len(Tokens)-1. After an error
// a Decoder is of no more use.
type Decoder struct {
	Target   model.Session
	Drafter  draft.Drafter
	Verifier verify.Verifier
	Builder  *sampler.Builder
	Engine   sampler.ConstraintEngine // nil is unconstrained
	Numbers  *sampler.PCG32           // the target stream, addressed and never advanced
	Coin     *sampler.PCG32
	Tokens   []model.Token // prompt and everything emitted
	Prompt   int           // how many of Tokens are prompt
	// Ends is asked of every token as it is emitted, in order, and once; true
	// makes it the last. nil is never.
	Ends func(model.Token) bool
	// TopLogprobs asks for Logprobs: those of every token and of so many of the
	// best ids at its position, at most sampler.MaxLogprobs. nil asks for none.
	TopLogprobs *int
	Logprobs    []*sampler.Logprobs // of the tokens emitted; nil where one was forced

	lent bool // Target is a Prefill's
	open opened
}

// opened is what Begin leaves for Settle.
type opened struct {
	proposal draft.Proposal
	batch    model.Batch
	clock    *clock
	record   Round
}

// Round drafts paths of up to k tokens and emits what the target keeps, at least
// one token and at most limit: Begin, one forward, Settle.
func (d *Decoder) Round(ctx context.Context, k, limit int) (Round, error) {
	batch, err := d.Begin(ctx, k, limit)
	if err != nil {
		return Round{}, err
	}
	logits, err := batch.Forward(d.Target)
	if err != nil {
		return Round{}, err
	}
	return d.Settle(logits)
}

// Begin drafts, and returns what the target has to forward.
func (d *Decoder) Begin(ctx context.Context, k, limit int) (model.Batch, error) {
	if err := ctx.Err(); err != nil {
		return model.Batch{}, err
	}
	clock := startClock()
	d.Builder.Recycle()
	k = min(k, limit-1)
	p, err := d.Drafter.Propose(ctx, d.position(), k)
	if err == nil {
		err = p.Check(d.Drafter.Law(), k)
	}
	if err != nil {
		return model.Batch{}, err
	}
	batch := p.Batch(d.Tokens[len(d.Tokens)-1])
	d.open = opened{p, batch, clock, Round{Drafted: len(p.Tokens), Read: -bytesRead(d.Target), Draft: clock.lap()}}
	return batch, nil
}

// Settle judges the draft by the logits of its batch, commits what stands and
// rolls back the rest.
func (d *Decoder) Settle(logits model.Logits) (Round, error) {
	p, r, clock := d.open.proposal, d.open.record, d.open.clock
	r.Verify = clock.lap()
	post := &posterior{builder: d.Builder, logits: logits, root: d.position(), proposal: p}
	v, err := d.Verifier.Verify(p, post.after, d.streams())
	if err != nil {
		return Round{}, err
	}
	e := d.cut(p, v)
	if err := r.count(post, v, e); err != nil {
		return Round{}, err
	}
	engine, err := post.engineAfter(e)
	if err == nil && d.TopLogprobs != nil {
		err = d.report(post, e)
	}
	r.Read += bytesRead(d.Target)
	if err != nil {
		return Round{}, err
	}
	r.Accept = clock.lap()
	d.Tokens, d.Engine = append(d.Tokens, e.tokens...), engine
	if err := d.open.batch.Keep(d.Target, e.rows()); err != nil {
		return Round{}, err
	}
	r.Rest = clock.lap()
	return r, nil
}

// position is where the next token goes. Tokens keeps room for a draft, so that
// no one who extends the history copies it.
func (d *Decoder) position() sampler.Position {
	d.Tokens = slices.Grow(d.Tokens, 64)
	return sampler.Position{History: d.Tokens, Generated: len(d.Tokens) - d.Prompt, Engine: d.Engine}
}

// streams addresses the target's numbers by generated position.
func (d *Decoder) streams() verify.Streams {
	done := len(d.Tokens) - d.Prompt
	return verify.Streams{Coin: d.Coin, Target: func(depth int) float32 { return d.Numbers.At(done + depth) }}
}

// cut drops what follows the first token of a verdict that ends the generation.
func (d *Decoder) cut(p draft.Proposal, v verify.Verdict) emitted {
	e := emitted{path: v.Path}
	for i, node := range v.Path {
		e.tokens = append(e.tokens, p.Tokens[node])
		if d.ends(p.Tokens[node]) {
			e.path = v.Path[:i+1]
			return e
		}
	}
	e.tokens = append(e.tokens, v.Next)
	d.ends(v.Next)
	return e
}

func (d *Decoder) ends(t model.Token) bool { return d.Ends != nil && d.Ends(t) }
