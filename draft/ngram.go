package draft

import (
	"context"
	"fmt"

	"foretoken/model"
	"foretoken/sampler"
)

// Ngram is prompt lookup (Saxena 2023): it proposes the tokens that followed the latest
// earlier occurrence of the final n tokens, for the longest n that has one. It has no
// model, so each proposal is a point.
type Ngram struct {
	MinN int `option:"min_n" min:"1" help:"shortest match in tokens (default 1)"`
	MaxN int `option:"max_n" min:"1" help:"longest match in tokens, tried first (default 3)"`
}

// The lengths of a match where none are given.
const (
	DefaultMinN = 1
	DefaultMaxN = 3
)

// Check implements Checker.
func (f *Ngram) Check() error {
	if d := f.resolved(); d.min < 1 || d.max < d.min {
		return &OptionError{"max_n", fmt.Sprintf("is %d and min_n %d, want 1 <= min_n <= max_n", d.max, d.min)}
	}
	return nil
}

// New implements Factory.
func (f *Ngram) New(Env) (Drafter, error) {
	if err := f.Check(); err != nil {
		return nil, fmt.Errorf("draft: ngram: %w", err)
	}
	return f.resolved(), nil
}

func (f *Ngram) resolved() ngram {
	d := ngram{f.MinN, f.MaxN}
	if d.min == 0 {
		d.min = DefaultMinN
	}
	if d.max == 0 {
		d.max = max(DefaultMaxN, d.min)
	}
	return d
}

// ngram is Ngram at work.
type ngram struct {
	min, max int // lengths of a match, tried from max down
}

func (ngram) Law() Law     { return Law{Fingerprint: sampler.PointFingerprint} }
func (ngram) Close() error { return nil }

func (d ngram) Propose(ctx context.Context, at sampler.Position, limit int) (Proposal, error) {
	var p Proposal
	h := at.History
	if limit == 0 {
		return p, ctx.Err()
	}
	from := d.find(h)
	if from < 0 {
		return p, ctx.Err()
	}
	for i := from; len(p.Tokens) < limit; i++ { // past the end it repeats itself
		t := p.tokenAt(h, i)
		p.Tokens, p.Dists = append(p.Tokens, t), append(p.Dists, sampler.Point(t))
	}
	return p, ctx.Err()
}

// tokenAt is token i of h with the proposal after it.
func (p Proposal) tokenAt(h []model.Token, i int) model.Token {
	if i < len(h) {
		return h[i]
	}
	return p.Tokens[i-len(h)]
}

// find returns where the continuation begins, -1 where nothing matches. One pass
// from the end serves every length: the first occurrence of the greatest length
// wins, and no length above max is worth more than max.
func (d ngram) find(h []model.Token) int {
	best, from := d.min-1, -1
	for end := len(h) - 1; end > 0 && best < d.max; end-- {
		if n := d.match(h, end); n > best {
			best, from = n, end
		}
	}
	return from
}

// match is how many of the last tokens of h also stand before end, at most max.
func (d ngram) match(h []model.Token, end int) int {
	n := 0
	for n < d.max && n < end && h[end-1-n] == h[len(h)-1-n] {
		n++
	}
	return n
}
