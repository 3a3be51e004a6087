package spec_test

import (
	"context"
	"testing"

	"foretoken/draft"
	"foretoken/model"
	"foretoken/sampler"
	"foretoken/spec"
	"foretoken/verify"
)

// Faults that look right: each is planted to show which test goes red.

// promptCounts tells its drafter that the prompt was generated.
type promptCounts struct{ draft.Drafter }

func (d promptCounts) Propose(ctx context.Context, at sampler.Position, limit int) (draft.Proposal, error) {
	at.Generated = len(at.History)
	return d.Drafter.Propose(ctx, at, limit)
}

// pointed says its tokens were certain, and declares it.
type pointed struct{ draft.Drafter }

func (d pointed) Law() draft.Law { return draft.Law{Fingerprint: sampler.PointFingerprint} }

func (d pointed) Propose(ctx context.Context, at sampler.Position, limit int) (draft.Proposal, error) {
	p, err := d.Drafter.Propose(ctx, at, limit)
	for i, t := range p.Tokens {
		p.Dists[i] = sampler.Point(t)
	}
	return p, err
}

// judge is Leviathan's rule on a chain with its two decisions left open.
func judge(d draft.Proposal, post verify.Posterior, rng verify.Streams,
	keep func(i int, p, q sampler.Distribution, x model.Token) bool,
	correct func(p, q sampler.Distribution) sampler.Distribution) (verify.Verdict, error) {
	var v verify.Verdict
	for i, x := range d.Tokens {
		p, err := post(i - 1)
		if err != nil {
			return v, err
		}
		if !keep(i, p, d.Dists[i], x) {
			v.Next, v.Kind = correct(p, d.Dists[i]).Draw(rng.Target(i)), verify.Correction
			return v, nil
		}
		v.Path = append(v.Path, i)
	}
	p, err := post(len(d.Tokens) - 1)
	if err == nil {
		v.Next = p.Draw(rng.Target(len(v.Path)))
	}
	return v, err
}

// fair is the right coin.
func fair(u float32, p, q sampler.Distribution, x model.Token) bool {
	return p.Prob(x) > 0 && float64(u)*q.Prob(x) < p.Prob(x)
}

// fromTarget replaces a refused token from p and not from what p has over q.
type fromTarget struct{ verify.Verifier }

func (fromTarget) Verify(d draft.Proposal, post verify.Posterior, rng verify.Streams) (verify.Verdict, error) {
	return judge(d, post, rng, func(_ int, p, q sampler.Distribution, x model.Token) bool {
		return fair(rng.Coin.Float32(), p, q, x)
	}, func(p, _ sampler.Distribution) sampler.Distribution { return p })
}

// ignoresQ keeps x with probability p(x).
type ignoresQ struct{}

func (ignoresQ) Trees() bool { return false }
func (ignoresQ) Verify(d draft.Proposal, post verify.Posterior, rng verify.Streams) (verify.Verdict, error) {
	return judge(d, post, rng, func(_ int, p, _ sampler.Distribution, x model.Token) bool {
		return float64(rng.Coin.Float32()) < p.Prob(x)
	}, sampler.Residual)
}

// sharedCoin tosses the number that the token itself is drawn by.
type sharedCoin struct{}

func (sharedCoin) Trees() bool { return false }
func (sharedCoin) Verify(d draft.Proposal, post verify.Posterior, rng verify.Streams) (verify.Verdict, error) {
	return judge(d, post, rng, func(i int, p, q sampler.Distribution, x model.Token) bool {
		return fair(rng.Target(i), p, q, x)
	}, sampler.Residual)
}

// offByOne judges every token by the row before its own.
type offByOne struct{ verify.Verifier }

func (v offByOne) Verify(d draft.Proposal, post verify.Posterior, rng verify.Streams) (verify.Verdict, error) {
	return v.Verifier.Verify(d, func(node int) (sampler.Distribution, error) { return post(max(node-1, -1)) }, rng)
}

// rawQ judges by the draft's distributions before the filters.
type rawQ struct {
	verify.Verifier
	rows    model.Model
	builder *sampler.Builder
	decoder *spec.Decoder
}

func newRawQ(t *testing.T, r rig, d *spec.Decoder) rawQ {
	info := r.drafts.Info()
	b, err := sampler.NewBuilder(sampler.NewConfig(r.cfg.Temperature), info.Vocab, info.Real)
	check(t, err)
	return rawQ{d.Verifier, r.drafts, b, d}
}

func (v rawQ) Verify(p draft.Proposal, post verify.Posterior, rng verify.Streams) (verify.Verdict, error) {
	last := v.decoder.Tokens[len(v.decoder.Tokens)-1]
	for i, x := range p.Tokens {
		s, err := v.rows.NewSession()
		if err != nil {
			return verify.Verdict{}, err
		}
		l, err := s.Forward([]model.Token{last}, 1)
		if err != nil {
			return verify.Verdict{}, err
		}
		if p.Dists[i], err = v.builder.SamplingDistribution(l, 0, sampler.Position{}); err != nil {
			return verify.Verdict{}, err
		}
		last = x
	}
	return v.Verifier.Verify(p, post, rng)
}
