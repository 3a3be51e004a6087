package draft

import (
	"context"
	"slices"

	"foretoken/sampler"
)

// ngram proposes what followed the last occurrence of the final n tokens. It has
// no model: each proposal is a point.
type ngram struct{ n int }

func (ngram) Law() Law     { return Law{Fingerprint: sampler.PointFingerprint} }
func (ngram) Close() error { return nil }

func (d ngram) Propose(_ context.Context, at sampler.Position, limit int) (Proposal, error) {
	var p Proposal
	h := at.History
	for i := len(h) - d.n - 1; i >= 0; i-- {
		from := i + d.n
		if !slices.Equal(h[i:from], h[len(h)-d.n:]) {
			continue
		}
		for _, t := range h[from:min(from+limit, len(h))] {
			p.Tokens, p.Dists = append(p.Tokens, t), append(p.Dists, sampler.Point(t))
		}
		break
	}
	return p, nil
}
