package parity

import (
	"context"
	"errors"
	"fmt"
	"math"

	"foretoken/model"
	"foretoken/sampler"
)

// An Against is the path of mlx-lm's that a cell is held against: its own like. The
// zero value is plain greedy decoding.
type Against struct {
	Speculation int      `json:"speculation,omitempty"` // draft tokens of its own speculation
	Sampling    Sampling `json:"sampling,omitzero"`
}

func (a Against) sampled() bool { return a.Sampling != Sampling{} }

func (a Against) String() string {
	switch {
	case a.sampled():
		return a.Sampling.String() + ", mlx-lm's order and MLX's key"
	case a.Speculation > 0:
		return fmt.Sprintf("mlx-lm's speculation, K=%d, sample and match", a.Speculation)
	}
	return "plain"
}

// text is what mlx-lm says by a.
func (a Against) text(p Peer, q Request, n int) ([]model.Token, error) {
	switch {
	case a.sampled():
		return p.Sample(q.Prompt, n, step, a.Sampling)
	case a.Speculation > 0:
		return p.Speculate(q.Prompt, n, step, a.Speculation)
	}
	return p.Greedy(q.Prompt, n, step)
}

// A Noise is the numbers that MLX draws with.
type Noise interface {
	Next() (float32, error) // in [0, 1)
	Close()
}

// Noises makes the noise of a seed.
type Noises func(seed uint64) (Noise, error)

// sums is by how much float32 sums over a vocabulary may move where a draw falls.
const sums = 5e-5

// sample draws a text as mlx-lm draws, with its numbers, until it is another than
// text. It is a near-tie iff every row stays within tolerance, and the number drawn
// misses the reference's token by no more of the mass than its row's difference can
// move: each probability by twice the difference over the temperature, relatively.
func (c Cell) sample(ctx context.Context, q Request, text []model.Token, want []float32, tolerance float64, noises Noises) (Outcome, error) {
	diffs, _, err := c.force(q, text, want)
	if err != nil {
		return Outcome{}, err
	}
	got, gaps, err := c.draw(ctx, q, text, noises)
	if err != nil {
		return Outcome{}, err
	}
	if len(got) < len(text) { // what follows a divergence is another text
		text, diffs = text[:len(got)], diffs[:len(got)]
	}
	o := judge(text, got, diffs, gaps, tolerance)
	o.Prompt, o.Domain = q.ID, q.Domain
	return o, nil
}

// draw is a text, up to the first token that is not text's, and by how much of the mass,
// times the temperature, each draw misses text's token.
func (c Cell) draw(ctx context.Context, q Request, text []model.Token, noises Noises) (got []model.Token, gaps []float64, err error) {
	info, how := c.setup.Target.Info(), c.Against.Sampling
	n, err := noises(how.Seed)
	if err != nil {
		return nil, nil, err
	}
	defer n.Close()
	b, err := sampler.NewBuilder(how.Config(), info.Vocab, info.Real)
	if err != nil {
		return nil, nil, err
	}
	s, err := c.setup.Target.NewSession()
	if err != nil {
		return nil, nil, err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	history, todo := append([]model.Token(nil), q.Prompt...), q.Prompt
	for i := range text {
		if err := ctx.Err(); err != nil {
			return nil, nil, err
		}
		l, err := s.Forward(todo, 1)
		if err != nil {
			return nil, nil, err
		}
		d, err := b.SamplingDistribution(l, 0, sampler.Position{History: history, Generated: i})
		if err != nil {
			return nil, nil, err
		}
		u, err := n.Next()
		if err != nil {
			return nil, nil, err
		}
		t := d.Draw(u)
		miss := max(misses(d, float64(u), text[i])-sums, 0)
		got, gaps = append(got, t), append(gaps, miss*float64(how.Temperature))
		if t != text[i] {
			break
		}
		history = append(history, t)
		todo = history[len(history)-1:]
	}
	return got, gaps, nil
}

// misses is how far from u of the cumulative distribution a token's part of it lies:
// without end where it has none.
func misses(d sampler.Distribution, u float64, of model.Token) float64 {
	mass := 0.0
	for t, p := range d.All() {
		if t == of {
			return max(mass-u, u-mass-p, 0)
		}
		mass += p
	}
	return math.Inf(1)
}
