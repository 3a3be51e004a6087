package samplertest

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"

	"foretoken/model"
	"foretoken/sampler"
)

// CheckPlanExecutor judges a backend that executes plans: on makes logits of one
// row there. The host's answer is right; a filter that decides within 1e-4 of its
// threshold may fall either way, a probability be off by 1e-4 of itself.
func CheckPlanExecutor(on func(row []float32) model.Logits) error {
	r := rand.New(rand.NewPCG(17, 4))
	for i := range 400 {
		n := 2 + r.IntN(300)
		row, c := executorRow(r, i, n+3), executorConfig(r, n)
		at := sampler.Position{History: make([]model.Token, 12), Generated: 5}
		for j := range at.History {
			at.History[j] = model.Token(r.IntN(n))
		}
		if i%3 == 0 {
			at.Engine = NoRepeat{model.Token(slices.Index(row, slices.Max(row)))}
		}
		if err := compare(c, row, n, at, on(row)); err != nil {
			return fmt.Errorf("row %d of %d ids, %+v: %w", i, n, c, err)
		}
	}
	return badRows(on)
}

func executorRow(r *rand.Rand, kind, n int) []float32 {
	row := make([]float32, n)
	for i := range row {
		switch kind % 3 {
		case 0:
			row[i] = float32(3 * r.NormFloat64())
		case 1: // ties, as half precision has them
			row[i] = float32(r.IntN(40)) / 8
		case 2:
			row[i] = 1
		}
	}
	return row
}

func executorConfig(r *rand.Rand, n int) sampler.Config {
	c := sampler.NewConfig([]float32{0, .5, 1, 1.5}[r.IntN(4)])
	c.Order = []sampler.Order{sampler.TemperatureFirst, sampler.MLXLM}[r.IntN(2)] // a backend executes no other
	c.TopP = []float32{1, .3, .9}[r.IntN(3)]
	c.MinP = []float32{0, 0, .07}[r.IntN(3)]
	c.TopK = []int{0, 1, 10, n}[r.IntN(4)]
	c.LogitBias = map[model.Token]float32{0: 1.5, 1: float32(math.Inf(-1)), model.Token(n): 9}
	c.Penalties = sampler.Penalties{Repetition: 1.2, Presence: .3, Frequency: .2, Window: 8}
	return c
}

// compare holds an executor's distribution against the host's.
func compare(c sampler.Config, row []float32, real int, at sampler.Position, l model.Logits) error {
	got, err := distribution(c, len(row), real, at, l)
	if err != nil {
		return err
	}
	var first error
	for _, shift := range []float32{0, 1e-4, -1e-4} {
		near := c
		if c.TopP < 1 {
			near.TopP += shift
		}
		near.MinP *= 1 + shift
		want, err := distribution(near, len(row), real, at, model.Row(row))
		if err != nil {
			return err
		}
		if err = equal(got, want); err == nil {
			return nil
		}
		if first == nil {
			first = err
		}
	}
	return first
}

func distribution(c sampler.Config, width, real int, at sampler.Position, l model.Logits) (sampler.Distribution, error) {
	b, err := sampler.NewBuilder(c, width, real)
	if err != nil {
		return sampler.Distribution{}, err
	}
	return b.SamplingDistribution(l, 0, at)
}

func equal(got, want sampler.Distribution) error {
	a, b := maps.Collect(got.All()), maps.Collect(want.All())
	for t, p := range b {
		if math.Abs(a[t]-p) > 1e-4*p {
			return fmt.Errorf("token %d has %v, want %v", t, a[t], p)
		}
	}
	if len(a) != len(b) {
		return fmt.Errorf("%d tokens, want %d", len(a), len(b))
	}
	return nil
}

// badRows holds an executor to the errors of rows that have no distribution.
func badRows(on func(row []float32) model.Logits) error {
	c, inf := sampler.NewConfig(1), float32(math.Inf(1))
	for _, row := range [][]float32{{0, inf, 1}, {0, inf - inf, 1}} {
		if _, err := distribution(c, 3, 3, sampler.Position{}, on(row)); err == nil {
			return fmt.Errorf("row %v is no error", row)
		}
		if _, err := distribution(c, 3, 1, sampler.Position{}, on(row)); err != nil {
			return fmt.Errorf("row %v with 1 real id: %w, and what is padding is not looked at", row, err)
		}
	}
	if _, err := distribution(c, 2, 2, sampler.Position{}, on([]float32{-inf, -inf})); !errors.Is(err, sampler.ErrNoToken) {
		return fmt.Errorf("a row of -Inf gives %v, want %w", err, sampler.ErrNoToken)
	}
	return nil
}
