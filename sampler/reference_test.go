package sampler

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"foretoken/model"
)

// A naive is what the pipeline does to one row, by its definition: everything in
// float64, every ranking a full sort.
type naive struct {
	probs []float64
	// margin is how near the closest cut was decided, as a part of the total: a
	// float32 sum may decide within 1e-6 otherwise.
	margin float64
}

// reference computes the law of c on row, ids past real left out, at a position
// whose mask is allowed (nil: all).
func reference(c Config, row []float32, real int, at Position, allowed func(int) bool) naive {
	z := make([]float64, real)
	for i := range z {
		z[i] = math.Inf(-1)
		if i < len(row) && (allowed == nil || allowed(i)) {
			z[i] = float64(row[i])
		}
	}
	for t, b := range c.LogitBias {
		if t >= 0 && int(t) < real {
			z[t] = float64(float32(z[t]) + b)
		}
	}
	penalties(c, z, at)
	rank := make([]int, real)
	for i := range rank {
		rank[i] = i
	}
	slices.SortStableFunc(rank, func(a, b int) int { return cmp.Compare(z[b], z[a]) })
	if c.Greedy() {
		p := make([]float64, real)
		p[rank[0]] = 1
		return naive{p, 1}
	}
	filter := float64(c.Temperature)
	if c.Order == MLXLM || c.Order == LlamaCPP {
		filter = 1
	}
	if (c.Order == Transformers || c.Order == LlamaCPP) && c.TopK > 0 && c.TopK < real { // and the others see what it leaves
		for i, id := range rank {
			if i >= c.TopK && !(c.Order == Transformers && z[id] == z[rank[c.TopK-1]]) {
				z[id] = math.Inf(-1)
			}
		}
		c.TopK = 0
	}
	p := softmaxOf(z, filter)
	margin := cuts(c, p, z, rank)
	for i := range z {
		if p[i] == 0 {
			z[i] = math.Inf(-1)
		}
	}
	return naive{softmaxOf(z, float64(c.Temperature)), margin}
}

// cuts zeroes what the filters drop, one after the other.
func cuts(c Config, p, z []float64, rank []int) float64 {
	margin, top := 1.0, p[rank[0]]
	if c.TopP > 0 && c.TopP < 1 {
		// Ascending, inclusive: what survives exceeds 1 - top_p.
		sum := 0.0
		drop := make([]bool, len(p))
		for i, equals := len(rank)-1, 0; i >= 0; i-- {
			switch {
			case c.Order != MLXLM:
				sum += p[rank[i]]
			case equals > 0: // added with the last of them
				equals--
			default:
				for ; equals <= i && z[rank[i-equals]] == z[rank[i]]; equals++ {
					sum += p[rank[i-equals]]
				}
				equals--
			}
			drop[rank[i]] = !(sum > 1-float64(c.TopP))
			margin = min(margin, math.Abs(sum-(1-float64(c.TopP))))
		}
		for i := range p {
			if drop[i] {
				p[i] = 0
			}
		}
	}
	if c.MinP > 0 {
		for i := range p {
			margin = min(margin, math.Abs(p[i]-top*float64(c.MinP)))
			if p[i] < top*float64(c.MinP) {
				p[i] = 0
			}
		}
	}
	if c.TopK > 0 && c.TopK < len(p) {
		for _, i := range rank[c.TopK:] {
			p[i] = 0
		}
	}
	return margin
}

func softmaxOf(z []float64, temperature float64) []float64 {
	p, sum, top := make([]float64, len(z)), 0.0, slices.Max(z)
	for i := range z {
		p[i] = math.Exp((z[i] - top) / temperature)
		sum += p[i]
	}
	for i := range p {
		p[i] /= sum
	}
	return p
}

func penalties(c Config, z []float64, at Position) {
	n := c.Penalties.Window
	if c.Order == TemperatureFirst || c.Order == "" {
		n = min(n, at.Generated)
	}
	seen := map[model.Token]int{}
	for _, t := range at.History[max(0, len(at.History)-n):] {
		seen[t]++
	}
	for t, n := range seen {
		l := float32(z[t])
		if l < 0 {
			l *= c.Penalties.Repetition
		} else {
			l /= c.Penalties.Repetition
		}
		l -= c.Penalties.Presence
		z[t] = float64(l - c.Penalties.Frequency*float32(n))
	}
}

// faint is a probability that one of the two may round to none.
const faint = 1e-37

// same reports how d differs from what the definition gives.
func same(d Distribution, want naive) error {
	sum, last := 0.0, model.Token(-1)
	for t, p := range d.All() {
		if t <= last || p != d.Prob(t) || !(p > 0) {
			return fmt.Errorf("token %d after %d has %v in All and %v by Prob", t, last, p, d.Prob(t))
		}
		last = t
		sum += p
	}
	if math.Abs(sum-1) > 1e-9 {
		return fmt.Errorf("probabilities sum to %v", sum)
	}
	for i, w := range want.probs {
		p := d.Prob(model.Token(i))
		if (p > 0) != (w > 0) && p+w > faint {
			if want.margin < 1e-6 {
				return nil // decided within the tolerance
			}
			return fmt.Errorf("token %d has %v, want %v (margin %v)", i, p, w, want.margin)
		}
	}
	for i, w := range want.probs {
		// An exponent of a float32 weight, up to 87, is good to 7 digits.
		if p := d.Prob(model.Token(i)); math.Abs(p-w) > 1e-5*w+1e-30 || math.Abs(p-w) > 1e-6 {
			return fmt.Errorf("token %d has %v, want %v", i, p, w)
		}
	}
	return nil
}

// everyOther is an engine that allows what a seed picks.
type everyOther uint64

func (e everyOther) allows(i int) bool { return (uint64(i)+1)*uint64(e)>>60 >= 5 }
func (e everyOther) WantsMask() bool   { return e != 0 }
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

// Every order, filter, penalty and mask, on rows of every kind, against the
// definition.
func TestAgainstDefinition(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 1))
	sizes := []int{3, 7, 64, 200, 3000}
	for i := range 3000 {
		n := sizes[i%len(sizes)]
		if n == 3000 && i%25 != 24 {
			n = 200
		}
		kind := i % len(rowKinds)
		real, row, c := n, makeRow(r, kind, n+r.IntN(3)), makeConfig(r, n)
		at := Position{History: make([]model.Token, 3+r.IntN(30)), Generated: r.IntN(20)}
		at.Generated = min(at.Generated, len(at.History))
		for j := range at.History {
			at.History[j] = model.Token(r.IntN(min(n, 9)))
		}
		var allowed func(int) bool
		if r.IntN(3) == 0 {
			e := everyOther(r.Uint64())
			at.Engine, allowed = e, e.allows
		}
		check(t, fmt.Sprintf("%d: %s, %d ids, %+v", i, rowKinds[kind].name, n, c), c, row, real, at, allowed)
	}
}

func check(t *testing.T, name string, c Config, row []float32, real int, at Position, allowed func(int) bool) {
	t.Helper()
	b, err := NewBuilder(c, len(row), real)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	want := reference(c, row, real, at, allowed)
	d, err := b.SamplingDistribution(logits(row), 0, at)
	if math.IsNaN(slices.Max(want.probs)) || slices.Max(want.probs) == 0 || hopeless(c, row, real, at, allowed) {
		if err == nil {
			t.Fatalf("%s: no token is left and the distribution is %v", name, maps.Collect(d.All()))
		}
		return
	}
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	if err := same(d, want); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
}

// hopeless reports whether no logit is left.
func hopeless(c Config, row []float32, real int, at Position, allowed func(int) bool) bool {
	for i := range real {
		if (allowed == nil || allowed(i)) && !math.IsInf(float64(row[i]), -1) && !math.IsInf(float64(c.LogitBias[model.Token(i)]), -1) {
			return false
		}
	}
	return true
}

// Large vocabularies take the paths that select by histogram, keep dense weights, and
// read a sum only as far as it tells the cut.
func TestLargeAgainstDefinition(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 2))
	const n = 20000
	for kind := range rowKinds {
		for _, topP := range []float32{0, .05, .9, .999} {
			for _, topK := range []int{0, 40, 1500, n - 1} {
				c := NewConfig(pick[float32](r, .7, 1))
				c.TopP, c.TopK, c.MinP, c.Order = topP, topK, pick[float32](r, 0, 0, .001), pick(r, Orders()...)
				at, allowed := Position{}, func(int) bool { return true }
				if r.IntN(3) == 0 {
					c.Penalties = Penalties{pick[float32](r, 1.1, .8), .5, .25, 20}
					at.History, at.Generated = []model.Token{1, 2, 1, 7, n - 1}, 4
				}
				if r.IntN(3) == 0 {
					e := everyOther(r.Uint64())
					at.Engine, allowed = e, e.allows
				}
				name := fmt.Sprintf("%s, masked %v, %+v", rowKinds[kind].name, at.Engine != nil, c)
				check(t, name, c, makeRow(r, kind, n), n, at, allowed)
			}
		}
	}
}

// Ties in the mlx-lm order, on the same paths, counted.
func TestLargeTiesOfMLXLM(t *testing.T) {
	const n = 9000
	row := make([]float32, n)
	for i := range row {
		row[i] = float32(i % 3)
	}
	c := NewConfig(.5)
	c.Order, c.TopP = MLXLM, .7 // e^2/(1+e+e^2) is .665: the value 1 stays, all of it
	b, _ := NewBuilder(c, n, n)
	d, err := b.SamplingDistribution(logits(row), 0, Position{})
	if err != nil || d.Len() != 2*n/3 || d.Prob(0) != 0 || d.Prob(1) == 0 {
		t.Errorf("%d tokens are left, want %d (%v)", d.Len(), 2*n/3, err)
	}
	if ratio := d.Prob(2) / d.Prob(1); math.Abs(ratio-math.Exp(2)) > 1e-5 {
		t.Errorf("ratio %v, want e^2: the draw is at the temperature", ratio)
	}
	c.Order = TemperatureFirst
	c.Temperature = 1
	b, _ = NewBuilder(c, n, n)
	d, err = b.SamplingDistribution(logits(row), 0, Position{})
	if err != nil || d.Len() <= n/3 || d.Len() > n/2 {
		t.Errorf("%d tokens are left, want a part of the value 1 (%v)", d.Len(), err)
	}
}
