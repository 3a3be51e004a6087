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

// String implements fmt.Stringer.
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

// sums is by how much the rounding of probabilities to float32 may move where a draw falls,
// and half the bit that a running sum near 1 loses with each of them, or all of one that
// is less: over a whole vocabulary that is more.
const (
	sums    = 5e-5
	halfBit = 1.0 / (1 << 25)
)

// sample draws every token of text as mlx-lm draws it, after those before it and with
// its number. A draw of another token is a near-tie iff every row stays within
// tolerance, and the number misses the reference's token by no more of the mass than its
// row's difference can move: each probability by twice the difference over the
// temperature, relatively.
func (c Cell) sample(ctx context.Context, q Request, text []model.Token, want []float32, noises Noises) (Outcome, error) {
	r, err := c.rows(q, text, want)
	if err != nil {
		return Outcome{}, err
	}
	got, gaps, err := c.draw(ctx, q, text, r, noises)
	if err != nil {
		return Outcome{}, err
	}
	o := judgeEach(text, got, r.diffs, gaps)
	o.Prompt, o.Domain = q.ID, q.Domain
	return o, nil
}

// draw is what is drawn in the place of each token of text, and by how much of the mass,
// times the temperature, each draw misses it.
func (c Cell) draw(ctx context.Context, q Request, text []model.Token, r *rows, noises Noises) (got []model.Token, gaps []float64, err error) {
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
	for i, of := range text {
		if err := ctx.Err(); err != nil {
			return nil, nil, err
		}
		l, err := s.Forward(todo, 1)
		if err == nil {
			err = r.note(l, 0, i)
		}
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
		miss := max(misses(d, float64(u), of), 0)
		got, gaps = append(got, d.Draw(u)), append(gaps, miss*float64(how.Temperature))
		history = append(history, of)
		todo = history[len(history)-1:]
	}
	return got, gaps, nil
}

// misses is how far from u of the cumulative distribution a token's part of it lies, less
// what sums in float32 lose, wherever: MLX draws under its own sum of all. It is without
// end where the token has no part.
func misses(d sampler.Distribution, u float64, of model.Token) float64 {
	mass, lost, miss := 0.0, sums, math.Inf(1)
	for t, p := range d.All() {
		if t == of {
			miss = max(mass-u, u-mass-p, 0)
		}
		mass += p
		lost += min(p, halfBit)
	}
	return miss - lost
}
