package sampler

import (
	"math"
	"math/rand/v2"

	"foretoken/model"
)

// everyOther is an engine that allows what a seed picks.
type everyOther uint64

func (e everyOther) allows(i int) bool { return (uint64(i)+1)*uint64(e)>>60 >= 5 }

func (e everyOther) WantsMask() bool { return e != 0 }

func (e everyOther) Mask(m model.Mask) error {
	clear(m)
	for i := range 64 * len(m) { // past the real ids too
		if e.allows(i) {
			m.Add(model.Token(i))
		}
	}
	return nil
}

func (e everyOther) Next(model.Token) (ConstraintEngine, error) { return e, nil }

// rowKinds are rows that filters find hard.
var rowKinds = []struct {
	name string
	at   func(r *rand.Rand, i, n int) float32
}{
	{"normal", func(r *rand.Rand, _, _ int) float32 { return float32(4 * r.NormFloat64()) }},
	{"bf16", func(r *rand.Rand, _, _ int) float32 { return bf16(float32(3 * r.NormFloat64())) }},
	{"flat", func(*rand.Rand, int, int) float32 { return 7.5 }},
	{"two values", func(r *rand.Rand, _, _ int) float32 { return float32(r.IntN(2)) }},
	{"zeros of both signs", func(r *rand.Rand, _, _ int) float32 {
		return float32(math.Copysign(0, r.Float64()-.5))
	}},
	{"ascending", func(_ *rand.Rand, i, n int) float32 { return 10 * float32(i) / float32(n) }},
	{"plateau", func(_ *rand.Rand, i, n int) float32 { return float32(min(i, n/2)) / 64 }},
	{"descending", func(_ *rand.Rand, i, n int) float32 { return -10 * float32(i) / float32(n) }},
	{"nearly flat", func(r *rand.Rand, _, _ int) float32 { return 1 + 1e-6*float32(r.NormFloat64()) }},
	{"one giant", func(r *rand.Rand, i, n int) float32 {
		if i == n/2 {
			return 2e38
		}
		return -2e38
	}},
	{"peaked", func(r *rand.Rand, i, n int) float32 {
		if i == n/3 {
			return 30
		}
		return float32(r.NormFloat64())
	}},
	{"banned", func(r *rand.Rand, i, _ int) float32 {
		if i%5 != 2 {
			return float32(math.Inf(-1))
		}
		return float32(r.NormFloat64())
	}},
}

func bf16(x float32) float32 { return math.Float32frombits(math.Float32bits(x) &^ 0xffff) }

func makeRow(r *rand.Rand, kind, n int) []float32 {
	row := make([]float32, n)
	for i := range row {
		row[i] = rowKinds[kind].at(r, i, n)
	}
	return row
}

func pick[T any](r *rand.Rand, of ...T) T { return of[r.IntN(len(of))] }

// makeConfig draws a configuration in which any step may be on.
func makeConfig(r *rand.Rand, vocabulary int) Config {
	c := NewConfig(pick[float32](r, 0, .1, .5, .8, 1, 1.3, 40))
	c.Order = pick(r, Orders()...)
	c.TopP = pick[float32](r, 0, 1, .05, .5, .8, .9, .999)
	c.MinP = pick[float32](r, 0, 0, .02, .3, 1)
	c.TopK = pick(r, 0, 0, 1, 2, 40, vocabulary-1, vocabulary, vocabulary+1)
	if r.IntN(2) == 0 {
		c.Penalties = Penalties{pick[float32](r, 1, 1.1, .8), pick[float32](r, 0, .5), pick[float32](r, 0, .25, -.1), pick(r, 0, 3, 20)}
	}
	if r.IntN(3) == 0 {
		c.LogitBias = map[model.Token]float32{0: 2, 1: float32(math.Inf(-1)), model.Token(vocabulary): 9, -1: 9,
			model.Token(r.IntN(vocabulary)): -3}
	}
	return c
}
