package spec_test

import (
	"context"

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
		v.Judged = append(v.Judged, i)
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
type fromTarget struct{ verify.Leviathan }

func (fromTarget) Verify(d draft.Proposal, post verify.Posterior, rng verify.Streams) (verify.Verdict, error) {
	return judge(d, post, rng, func(_ int, p, q sampler.Distribution, x model.Token) bool {
		return fair(rng.Coin.Float32(), p, q, x)
	}, func(p, _ sampler.Distribution) sampler.Distribution { return p })
}

// ignoresQ keeps x with probability p(x).
type ignoresQ struct{ verify.Leviathan }

func (ignoresQ) Verify(d draft.Proposal, post verify.Posterior, rng verify.Streams) (verify.Verdict, error) {
	return judge(d, post, rng, func(_ int, p, _ sampler.Distribution, x model.Token) bool {
		return float64(rng.Coin.Float32()) < p.Prob(x)
	}, sampler.Residual)
}

// sharedCoin tosses the number that the token itself is drawn by.
type sharedCoin struct{ verify.Leviathan }

func (sharedCoin) Verify(d draft.Proposal, post verify.Posterior, rng verify.Streams) (verify.Verdict, error) {
	return judge(d, post, rng, func(i int, p, q sampler.Distribution, x model.Token) bool {
		return fair(rng.Target(i), p, q, x)
	}, sampler.Residual)
}

// offByOne judges every token by the row before its own.
type offByOne struct{ verify.Rule }

func (v offByOne) Verify(d draft.Proposal, post verify.Posterior, rng verify.Streams) (verify.Verdict, error) {
	return v.Rule.Verify(d, func(node int) (sampler.Distribution, error) { return post(max(node-1, -1)) }, rng)
}

// ownCoin tosses the numbers of another stream.
type ownCoin struct {
	verify.Rule
	coin *sampler.PCG32
}

func (v ownCoin) Verify(d draft.Proposal, post verify.Posterior, rng verify.Streams) (verify.Verdict, error) {
	rng.Coin = v.coin
	return v.Rule.Verify(d, post, rng)
}

// draftCoin tosses what the draft drew by.
func draftCoin(r rig, s *spec.Setup, _ *spec.Request) {
	s.Rule = ownCoin{s.Rule, sampler.NewStream(r.seed, sampler.DraftStream)}
}

// countPrompt has the windows of both sides count the prompt as generated.
func countPrompt(_ rig, _ *spec.Setup, q *spec.Request) {
	q.Prompt, q.Resumed = q.Prompt[:1], q.Prompt[1:]
}

// rawQ has a drafter report its distributions before the filters, under the name of the
// filtered ones.
func rawQ(r rig, s *spec.Setup, _ *spec.Request) {
	s.Drafter = drafting{s.Drafter, func(d draft.Drafter) draft.Drafter { return unfiltered{d, r.drafts, r.cfg} }}
}

type unfiltered struct {
	draft.Drafter
	rows model.Model
	cfg  sampler.Config
}

func (d unfiltered) Propose(ctx context.Context, at sampler.Position, limit int) (draft.Proposal, error) {
	p, err := d.Drafter.Propose(ctx, at, limit)
	if err != nil {
		return p, err
	}
	info := d.rows.Info()
	b, err := sampler.NewBuilder(sampler.NewConfig(d.cfg.Temperature), info.Vocab, info.Real)
	if err != nil {
		return p, err
	}
	last := at.History[len(at.History)-1]
	for i, x := range p.Tokens {
		if p.Dists[i], err = d.raw(b, last); err != nil {
			return p, err
		}
		last = x
	}
	return p, nil
}

// raw is the distribution after a token, of a model that looks at no other.
func (d unfiltered) raw(b *sampler.Builder, last model.Token) (q sampler.Distribution, err error) {
	s, err := d.rows.NewSession()
	if err != nil {
		return q, err
	}
	l, err := s.Forward([]model.Token{last}, 1)
	if err != nil {
		return q, err
	}
	if q, err = b.SamplingDistribution(l, 0, sampler.Position{}); err != nil {
		return q, err
	}
	var ids []model.Token
	var probs []float64
	for t, x := range q.All() {
		ids, probs = append(ids, t), append(probs, x)
	}
	return sampler.NewDistribution(d.Law().Fingerprint, ids, probs)
}
