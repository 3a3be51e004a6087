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
	Drafter  string        // a name of draft.Names
	Draft    draft.Options // what that drafter needs
	Verifier string        // a name of verify.Names
	Policy   verify.Policy
}

// decoder returns a Decoder for r, not started.
func (s Setup) decoder(r Request) (*Decoder, error) {
	info := s.Target.Info()
	builder, err := sampler.NewBuilder(r.Sampler, info.Vocab, info.Real)
	if err != nil {
		return nil, err
	}
	rule, err := verify.New(s.Verifier)
	if err != nil {
		return nil, err
	}
	name := s.Drafter
	if r.K == 0 { // plain decoding pays for no drafter
		name = "none"
	}
	session, lent, err := s.session(name, r)
	if err != nil {
		return nil, fmt.Errorf("spec: session of %s: %w", info.Name, err)
	}
	tap, _ := session.(model.HiddenTap)
	drafter, err := draft.New(name, draft.Env{Options: s.Draft, Target: s.Target, Tap: tap, Sampler: r.Sampler,
		RNG: sampler.NewStream(r.Seed, sampler.DraftStream)})
	if err != nil {
		if !lent {
			err = errors.Join(err, session.Close())
		}
		return nil, err
	}
	return &Decoder{
		Target: session, Drafter: drafter, Verifier: rule, Builder: builder, Engine: r.Engine,
		Numbers: sampler.NewStream(r.Seed, sampler.TargetStream), Coin: sampler.NewStream(r.Seed, sampler.CoinStream),
		Tokens: slices.Clone(r.Prompt), Prompt: len(r.Prompt), TopLogprobs: r.TopLogprobs, lent: lent,
	}, nil
}

// session is the one that holds the prompt already, or else a new one. A drafter that
// wants a session of another kind has its own.
func (s Setup) session(name string, r Request) (session model.Session, lent bool, err error) {
	if r.Prefill != nil && !draft.WantsTarget(name) {
		if session, ok := r.Prefill.lend(); ok {
			return session, true, nil
		}
	}
	session, err = draft.OpenTarget(name, s.Draft, s.Target)
	return session, false, err
}

func (d *Decoder) close() error {
	err := d.Drafter.Close()
	if !d.lent {
		err = errors.Join(err, d.Target.Close())
	}
	return err
}
