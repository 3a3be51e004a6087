package spec

import (
	"errors"

	"foretoken/draft"
	"foretoken/model"
	"foretoken/verify"
)

// A Step is a draft that waits for the target's logits. It is settled once.
type Step struct {
	Batch   model.Batch   // the tokens to forward, a row of logits for each
	Session model.Session // the target's, whose cache takes them

	of       *Generation
	proposal draft.Proposal
	clock    *clock
	round    Round
}

// Forward runs the batch on the session, and waits for it.
func (s *Step) Forward() (model.Logits, error) {
	l, err := s.Batch.Forward(s.Session)
	if err != nil && s.of != nil {
		s.of.failed = err
	}
	return l, err
}

// Settle judges the draft by the logits of its batch, commits the tokens that stand and
// rolls back the rest. Where judging fails, the emission has the drafts that stood before
// the failure, and the generation is of no more use.
func (s *Step) Settle(logits model.Logits) (Emission, error) {
	g := s.of
	if g == nil || g.step != s {
		return Emission{}, errors.New("spec: this step is not open: want one of Begin, settled once")
	}
	g.step = nil
	s.round.Verify = s.clock.lap()
	post := &posterior{builder: g.builder, logits: logits, root: g.position(), proposal: s.proposal, keep: g.setup.Recorder != nil}
	at := len(g.tokens) - len(g.request.Prompt)
	v, err := g.setup.Rule.Verify(s.proposal, post.after, g.streams())
	if err != nil {
		return s.broken(post, v, err)
	}
	if err := s.commit(post, v); err != nil {
		return Emission{}, g.fail(err)
	}
	if r := g.setup.Recorder; r != nil {
		if err := r.Record(Decision{len(g.ledger.judged) - 1, at, s.proposal, v, post.asked}); err != nil {
			return g.emit(), g.fail(err)
		}
	}
	return g.emit(), nil
}

// commit takes a verdict's tokens up to the end of the text, and brings the cache to them.
func (s *Step) commit(post *posterior, v verify.Verdict) error {
	g := s.of
	t := g.take(s.proposal, v.Path, &v.Next)
	levels, err := post.levels(v, t)
	if err != nil {
		return err
	}
	if g.engine, err = post.engineAfter(t); err != nil {
		return err
	}
	if err := g.report(post, t); err != nil {
		return err
	}
	s.round.Accept, s.round.Kind = s.clock.lap(), v.Kind
	if err := s.Batch.Keep(s.Session, t.rows()); err != nil {
		return err
	}
	s.round.Read += bytesRead(s.Session)
	s.round.Rest = s.clock.lap()
	g.ledger.add(s.round, levels, len(t.path))
	return nil
}

// broken emits the drafts that stood when judging failed.
func (s *Step) broken(post *posterior, v verify.Verdict, cause error) (Emission, error) {
	g := s.of
	s.round.Accept, s.round.Kind = s.clock.lap(), v.Kind
	s.round.Read += bytesRead(s.Session)
	t := g.take(s.proposal, v.Path, nil)
	g.text.end(FinishFailed)
	levels, err := post.levels(v, t)
	if err == nil {
		err = g.report(post, t)
	}
	if err == nil {
		g.ledger.add(s.round, levels, len(t.path))
	}
	return g.emit(), g.fail(errors.Join(cause, err))
}

// streams addresses the target's numbers by generated position.
func (g *Generation) streams() verify.Streams {
	done := len(g.tokens) - len(g.request.Prompt)
	return verify.Streams{Coin: g.coin, Target: func(depth int) float32 { return g.numbers.At(done + depth) }}
}
