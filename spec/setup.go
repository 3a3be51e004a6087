package spec

import (
	"errors"
	"fmt"
	"slices"

	"foretoken/draft"
	"foretoken/model"
	"foretoken/sampler"
	"foretoken/verify"
)

// A Setup is what requests run on. It is safe for concurrent use.
type Setup struct {
	Target   model.Model
	Drafter  draft.Factory // nil: plain decoding
	Rule     verify.Rule   // nil: Leviathan
	Policy   verify.Policy // whether speculation at a temperature above 0 is allowed
	Lengths  LengthPolicy  // nil: the request's K in every round
	Recorder Recorder      // hears every decision; nil: nobody does
}

// A LengthPolicy says how long the next draft may be. It is safe for concurrent use.
type LengthPolicy interface {
	// Length is the longest path to draft next, from 0, which drafts nothing, to k, the
	// request's. past holds the rounds so far, as judged, and is lent for the call.
	Length(k int, past []Round) int
}

// A Recorder hears what each round decided. The time it takes is in no round.
type Recorder interface {
	// Record is called once a round, before the next begins. d and all it holds are
	// lent for the call. An error ends the request.
	Record(d Decision) error
}

// A Decision is one round as the rule saw it.
type Decision struct {
	Round    int // from 0
	At       int // generated tokens before it
	Proposal draft.Proposal
	Verdict  verify.Verdict
	// Targets are the target's distributions that the rule asked for, by the node they
	// follow, -1 the root.
	Targets map[int]sampler.Distribution
}

// drafter is the factory of a request: one that drafts nothing pays for no drafter.
func (s Setup) drafter(r Request) draft.Factory {
	if s.Drafter == nil || r.K == 0 {
		return draft.None{}
	}
	return s.Drafter
}

// generation builds a request's parts, with nothing forwarded.
func (s Setup) generation(r Request) (*Generation, error) {
	info := s.Target.Info()
	builder, err := sampler.NewBuilder(r.Sampler, info.Vocab, info.Real)
	if err != nil {
		return nil, err
	}
	if s.Rule == nil {
		s.Rule = verify.Leviathan{}
	}
	factory := s.drafter(r)
	session, lent, err := s.session(factory, r)
	if err != nil {
		return nil, fmt.Errorf("spec: session of %s: %w", info.Name, err)
	}
	drafter, err := factory.New(draft.Env{Target: s.Target, Session: session, Sampler: r.Sampler,
		RNG: sampler.NewStream(r.Seed, sampler.DraftStream)})
	if err != nil {
		if !lent {
			err = errors.Join(err, session.Close())
		}
		return nil, err
	}
	limit, full := r.limit(info)
	return &Generation{
		setup: s, request: r, session: session, lent: lent, drafter: drafter, builder: builder, engine: r.Engine,
		numbers: sampler.NewStream(r.Seed, sampler.TargetStream), coin: sampler.NewStream(r.Seed, sampler.CoinStream),
		tokens: slices.Concat(r.Prompt, r.Resumed), limit: limit, full: full,
		text: transcript{eos: r.EOS, stop: r.Stop, ids: r.StopTokens, text: r.Text},
	}, nil
}

// session is the one that holds the prompt already, or else a new one. A drafter that
// wants a session of another kind has its own.
func (s Setup) session(f draft.Factory, r Request) (session model.Session, lent bool, err error) {
	if _, own := model.As[draft.TargetOpener](f); r.Prefill != nil && !own {
		if session, ok := r.Prefill.lend(); ok {
			return session, true, nil
		}
	}
	session, err = draft.OpenTarget(f, s.Target)
	return session, false, err
}
