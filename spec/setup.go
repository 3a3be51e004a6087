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
	session, err := draft.OpenTarget(name, s.Draft, s.Target)
	if err != nil {
		return nil, fmt.Errorf("spec: session of %s: %w", info.Name, err)
	}
	tap, _ := session.(model.HiddenTap)
	drafter, err := draft.New(name, draft.Env{Options: s.Draft, Target: s.Target, Tap: tap, Sampler: r.Sampler,
		RNG: sampler.NewStream(r.Seed, sampler.DraftStream)})
	if err != nil {
		return nil, errors.Join(err, session.Close())
	}
	return &Decoder{
		Target: session, Drafter: drafter, Verifier: rule, Builder: builder, Engine: r.Engine,
		Numbers: sampler.NewStream(r.Seed, sampler.TargetStream), Coin: sampler.NewStream(r.Seed, sampler.CoinStream),
		Tokens: slices.Clone(r.Prompt), Prompt: len(r.Prompt), TopLogprobs: r.TopLogprobs,
	}, nil
}

func (d *Decoder) close() error { return errors.Join(d.Drafter.Close(), d.Target.Close()) }
