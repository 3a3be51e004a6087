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

// A Comparison is how a backend's distributions compare with the host's.
type Comparison struct {
	Rows    int
	Tokens  int     // in the supports of both
	AtCut   int     // in one support alone, each within MassTolerance of the threshold
	Largest float64 // difference of a probability, after renormalising over the tokens of both
}

// String implements fmt.Stringer.
func (c Comparison) String() string {
	return fmt.Sprintf("%d rows, %d tokens: %d in one support alone, at the threshold; probabilities apart by at most %.2g", c.Rows, c.Tokens, c.AtCut, c.Largest)
}

// The tolerances of CompareExecutor.
const (
	MassTolerance = 1e-5 // of the mass ranked before a token, beside top_p's
	ProbTolerance = 1e-6 // of a probability
)

// CompareExecutor holds a backend that executes plans against the host on rows of n
// logits, each on every kind of row, ordinary and adversarial, in both orders. Supports
// are the same but for tokens at the threshold of top_p; errors are the same. on
// makes logits of one row there.
func CompareExecutor(on func(row []float32) model.Logits, n, each int, seed uint64) (Comparison, error) {
	r := rand.New(rand.NewPCG(seed, 8))
	var all Comparison
	for i := range each * len(hard) {
		row := make([]float32, n)
		for j := range row {
			row[j] = hard[i%len(hard)].at(r, j, n)
		}
		c := hardConfig(r, n)
		at := sampler.Position{History: make([]model.Token, 30), Generated: 25}
		for j := range at.History {
			at.History[j] = model.Token(r.IntN(n))
		}
		if i%4 == 3 {
			at.Engine = NoRepeat{model.Token(slices.Index(row, slices.Max(row)))}
		}
		if err := all.add(c, row, at, on(row)); err != nil {
			return all, fmt.Errorf("%s row of %d, %+v: %w", hard[i%len(hard)].name, n, c, err)
		}
	}
	return all, nil
}

// hard are rows that filters find hard.
var hard = []struct {
	name string
	at   func(r *rand.Rand, i, n int) float32
}{
	{"normal", func(r *rand.Rand, _, _ int) float32 { return float32(3 * r.NormFloat64()) }},
	{"bf16", func(r *rand.Rand, _, _ int) float32 {
		return math.Float32frombits(math.Float32bits(float32(3*r.NormFloat64())) &^ 0xffff)
	}},
	{"flat", func(*rand.Rand, int, int) float32 { return -2.5 }},
	{"nearly flat", func(r *rand.Rand, _, _ int) float32 { return 1 + 1e-6*float32(r.NormFloat64()) }},
	{"two values", func(r *rand.Rand, _, _ int) float32 { return float32(r.IntN(2)) }},
	{"signed zeros", func(r *rand.Rand, _, _ int) float32 { return float32(math.Copysign(0, r.Float64()-.5)) }},
	{"ascending", func(_ *rand.Rand, i, n int) float32 { return 10 * float32(i) / float32(n) }},
	{"descending", func(_ *rand.Rand, i, n int) float32 { return -10 * float32(i) / float32(n) }},
	{"plateau", func(_ *rand.Rand, i, n int) float32 { return float32(min(i, n/2)) / 64 }},
	{"peaked", func(r *rand.Rand, i, n int) float32 {
		if i == n/3 {
			return 30
		}
		return float32(r.NormFloat64())
	}},
	{"giant", func(r *rand.Rand, i, n int) float32 {
		if i == n/2 {
			return 2e38
		}
		return -2e38
	}},
	{"banned", func(r *rand.Rand, i, _ int) float32 {
		if i%5 != 2 {
			return float32(math.Inf(-1))
		}
		return float32(r.NormFloat64())
	}},
	{"all banned", func(*rand.Rand, int, int) float32 { return float32(math.Inf(-1)) }},
	{"NaN", func(r *rand.Rand, i, n int) float32 {
		if i == 2*n/3 || i == n-1 {
			return float32(math.NaN())
		}
		return float32(r.NormFloat64())
	}},
	{"+Inf", func(r *rand.Rand, i, n int) float32 {
		if i == n/3 {
			return float32(math.Inf(1))
		}
		return float32(r.NormFloat64())
	}},
}

func hardConfig(r *rand.Rand, n int) sampler.Config {
	c := sampler.NewConfig(pick[float32](r, .1, .5, .8, 1, 1.3))
	c.Order = pick(r, sampler.TemperatureFirst, sampler.MLXLM) // a backend executes no other
	c.TopP = pick[float32](r, 1, .05, .5, .8, .9, .999)
	c.MinP = pick[float32](r, 0, 0, .02, .3, 1)
	c.TopK = pick(r, 0, 0, 1, 40, 1500, n-1)
	if r.IntN(2) == 0 {
		c.Penalties = sampler.Penalties{Repetition: pick[float32](r, 1, 1.1, .8), Presence: pick[float32](r, 0, .5),
			Frequency: pick[float32](r, 0, .25, -.1), Window: pick(r, 3, 20)}
	}
	if r.IntN(3) == 0 {
		c.LogitBias = map[model.Token]float32{0: 2, 1: float32(math.Inf(-1)), model.Token(r.IntN(n)): -3}
	}
	return c
}

func pick[T any](r *rand.Rand, of ...T) T { return of[r.IntN(len(of))] }

// add compares one row.
func (c *Comparison) add(config sampler.Config, row []float32, at sampler.Position, l model.Logits) error {
	want, wantErr := distribution(config, len(row), len(row), at, model.Row(row))
	got, err := distribution(config, len(row), len(row), at, l)
	if c.Rows++; err != nil || wantErr != nil {
		return sameError(err, wantErr)
	}
	a, b := maps.Collect(got.All()), maps.Collect(want.All())
	both := [2]float64{}
	for t, p := range a {
		if q, ok := b[t]; ok {
			both[0], both[1] = both[0]+p, both[1]+q
		}
	}
	for t, p := range b {
		if q, ok := a[t]; ok {
			c.Tokens++
			c.Largest = max(c.Largest, math.Abs(p/both[1]-q/both[0]))
		}
	}
	if !(c.Largest <= ProbTolerance) {
		return fmt.Errorf("probabilities are apart by %.2g, want at most %g", c.Largest, ProbTolerance)
	}
	return c.cuts(config, row, at, a, b)
}

func sameError(got, want error) error {
	var a, b *model.LogitError
	switch {
	case errors.As(want, &b) && errors.As(got, &a) && a.Token == b.Token && a.Row == b.Row && (a.Value == b.Value || a.Value != a.Value && b.Value != b.Value):
	case errors.Is(want, sampler.ErrNoToken) && errors.Is(got, sampler.ErrNoToken):
	default:
		return fmt.Errorf("error %v, want %v", got, want)
	}
	return nil
}
