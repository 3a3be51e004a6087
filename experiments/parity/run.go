package parity

import (
	"context"
	"fmt"
	"slices"

	"foretoken/draft"
	"foretoken/model"
	"foretoken/results"
	"foretoken/sampler"
	"foretoken/spec"
)

// step is how many tokens of a prompt mlx-lm computes at a time.
const step = 2048

// A Comparison is a run that is to be made.
type Comparison struct {
	Config   Config
	Made     Made
	Peer     Peer
	Cells    []Cell
	Requests []Request
	Noise    Noises             // needed where the config has something sampled
	Say      func(string)       // is told of each request, cell by cell
	Found    Report             // what an earlier run of the same found: its requests are not run again
	Save     func(Report) error // is given what was found after each request; nil: nobody is
}

// Run runs every request through the peer and every cell.
func (c Comparison) Run(ctx context.Context) (Report, error) {
	r, err := c.begin()
	if err != nil {
		return r, err
	}
	for _, q := range c.Requests[len(r.Texts):] {
		if err := c.request(ctx, q, &r); err != nil {
			return r, err
		}
		if c.Save != nil {
			if err := c.Save(r); err != nil {
				return r, err
			}
		}
	}
	return r, nil
}

// request runs one request through every cell, like against like. Where it fails r stays
// as it was.
func (c Comparison) request(ctx context.Context, q Request, r *Report) error {
	plain, err := c.Peer.Greedy(q.Prompt, c.Config.MaxTokens, step)
	if err != nil {
		return err
	}
	text := Text{Prompt: q.ID, Cyclic: results.CyclicShare(plain)}
	if c.Config.Tolerance == 0 {
		if text.Spread, err = spread(c.Peer, q, plain); err != nil {
			return err
		}
	}
	p := pool{peer: c.Peer, of: q, texts: map[Against][]model.Token{{}: plain}, rows: map[Against][]float32{}}
	outcomes := make([]Outcome, len(r.Cells))
	for j, cell := range r.Cells {
		text, rows, err := p.get(cell.Against, c.Config.MaxTokens)
		if err != nil {
			return err
		}
		if outcomes[j], err = cell.run(ctx, q, text, rows, c.Noise); err != nil {
			return fmt.Errorf("parity: %s: %s: %w", cell.label(), q.ID, err)
		}
	}
	r.add(text, outcomes)
	for _, cell := range r.Cells {
		c.Say(fmt.Sprintf("%s: %s: %s", q.ID, cell.label(), cell.Outcomes[len(r.Texts)-1]))
	}
	return nil
}

// A pool is what the peer said to a request, each thing asked for once.
type pool struct {
	peer  Peer
	of    Request
	texts map[Against][]model.Token
	rows  map[Against][]float32
}

// get is the peer's text of n tokens by a, and its rows.
func (p pool) get(a Against, n int) (text []model.Token, rows []float32, err error) {
	if p.texts[a] == nil {
		if p.texts[a], err = a.text(p.peer, p.of, n); err != nil {
			return nil, nil, err
		}
	}
	text = p.texts[a]
	for other, same := range p.texts { // of equal texts the rows are equal
		if p.rows[a] == nil && slices.Equal(same, text) {
			p.rows[a] = p.rows[other]
		}
	}
	if p.rows[a] == nil {
		p.rows[a], err = p.peer.Rows(p.of.forced(text), len(text), step, len(text))
	}
	return text, p.rows[a], err
}

// spread is how far the peer's logits lie from its own, computed otherwise.
func spread(peer Peer, q Request, text []model.Token) (d float64, err error) {
	tokens := q.forced(text)
	all, err := peer.Rows(tokens, len(text), step, len(text))
	if err != nil {
		return 0, err
	}
	for _, block := range []int{1, 7} {
		other, err := peer.Rows(tokens, len(text), 13, block)
		if err != nil {
			return 0, err
		}
		d = max(d, difference(all, other))
	}
	return d, nil
}

// run generates, and holds the rows of the reference's own text against its rows: those
// that the engine decided by, and K+1 at a time those that it did not come to.
func (c Cell) run(ctx context.Context, q Request, text []model.Token, want []float32, noise Noises) (Outcome, error) {
	if c.Against.sampled() {
		return c.sample(ctx, q, text, want, noise)
	}
	r, err := c.rows(q, text, want)
	if err != nil {
		return Outcome{}, err
	}
	setup := c.setup
	if _, own := setup.Drafter.(draft.TargetOpener); !own { // which opens its target's sessions
		setup.Target = observing(setup.Target, r)
	}
	got, err := spec.Generate(ctx, setup, spec.Request{Prompt: q.Prompt, K: c.K, MaxTokens: len(text), Sampler: sampler.NewConfig(0), Seed: 1})
	if err == nil {
		err = r.force(c.setup.Target, c.K)
	}
	if err != nil {
		return Outcome{}, err
	}
	o := judge(text, got.Tokens, r.diffs, r.margins)
	o.Prompt, o.Domain, o.Cyclic = q.ID, q.Domain, results.CyclicShare(got.Tokens)
	return o, nil
}
