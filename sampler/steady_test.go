package sampler

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"foretoken/model"
)

// In the steady state a builder allocates the distribution and nothing else: two
// slices at most, none for a point.
func TestSteadyStateAllocates(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 1))
	row := logits(makeRow(r, 0, 8000))
	history := make([]model.Token, 40, 80)
	for i := range history {
		history[i] = model.Token(r.IntN(8000))
	}
	full := NewConfig(.8)
	full.TopP, full.MinP, full.TopK, full.Penalties.Repetition = .9, .05, 40, 1.1
	for name, c := range map[string]struct {
		edit func(*Config)
		want float64
	}{
		"full":    {func(*Config) {}, 2},
		"greedy":  {func(c *Config) { c.Temperature = 0 }, 0},
		"all":     {func(c *Config) { c.TopP, c.MinP, c.TopK = 0, 0, 0 }, 2},
		"top_p":   {func(c *Config) { c.MinP, c.TopK = 0, 0 }, 2},
		"min_p":   {func(c *Config) { c.TopP, c.TopK = 0, 0 }, 2},
		"wide k":  {func(c *Config) { c.TopP, c.MinP, c.TopK = 0, 0, 7000 }, 2},
		"mlx-lm":  {func(c *Config) { c.Order, c.TopK = MLXLM, 0 }, 2},
		"no edit": {func(c *Config) { c.Penalties.Repetition = 1 }, 2},
	} {
		for _, e := range []ConstraintEngine{nil, everyOther(0x9e3779b97f4a7c15)} {
			cfg := full
			c.edit(&cfg)
			b, _ := NewBuilder(cfg, len(row), len(row))
			at := Position{History: history, Generated: 30, Engine: e}
			var l model.Logits = row
			n := testing.AllocsPerRun(20, func() {
				if _, err := b.SamplingDistribution(l, 0, at); err != nil {
					t.Fatal(err)
				}
			})
			if n > max(c.want, 2) || e == nil && n > c.want {
				t.Errorf("%s, engine %v: %v allocations, want %v", name, e, n, c.want)
			}
		}
	}
}

// No path sorts the vocabulary: the worst kind of row costs at most so many
// times a plain one, where a sort of 120,000 would cost far more.
func TestNoRowBlowsUp(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 2))
	const n = 120_000
	rows := map[string]logits{}
	for kind := range rowKinds {
		rows[rowKinds[kind].name] = makeRow(r, kind, n)
	}
	for name, edit := range map[string]func(*Config){
		"top_p alone":      func(c *Config) { c.TopP = .9 },
		"top_p .999":       func(c *Config) { c.TopP = .999 },
		"top_k":            func(c *Config) { c.TopK = 40 },
		"top_k and top_p":  func(c *Config) { c.TopK, c.TopP = 40, .9 },
		"top_k 1000":       func(c *Config) { c.TopK = 1000 },
		"top_k 60000":      func(c *Config) { c.TopK = 60000 },
		"min_p":            func(c *Config) { c.MinP = .05 },
		"mlx-lm and top_p": func(c *Config) { c.TopP, c.Order = .9, MLXLM },
		"all":              func(*Config) {},
	} {
		c := NewConfig(.8)
		edit(&c)
		b, _ := NewBuilder(c, n, n)
		for kind, row := range rows {
			if ratio := cheapest(40, 30, func() { expSumPlain(row, 20, 1) }, func() {
				if _, err := b.SamplingDistribution(row, 0, Position{}); err != nil {
					t.Fatal(err)
				}
			}); ratio > 40 {
				t.Errorf("%s of %s takes %.0f times one plain sum over the row", name, kind, ratio)
			}
		}
	}
}

// cheapest returns the ratio of the shortest runs of g and of f, once it is at
// most enough: the machine may be busy.
func cheapest(enough float64, tries int, f, g func()) float64 {
	time1 := func(f func()) time.Duration {
		start := time.Now()
		f()
		return time.Since(start)
	}
	a, b := time.Hour, time.Hour
	for range tries {
		a, b = min(a, time1(f)), min(b, time1(g))
		if float64(b) <= enough*float64(a) {
			break
		}
	}
	return float64(b) / float64(a)
}

func BenchmarkSamplingDistribution(b *testing.B) {
	r := rand.New(rand.NewPCG(7, 3))
	const n = 152_064
	history := make([]model.Token, 40)
	for i := range history {
		history[i] = model.Token(r.IntN(n))
	}
	for _, kind := range []int{0, 1, 2, 5} {
		row := logits(makeRow(r, kind, n))
		for name, edit := range map[string]func(*Config){
			"full":  func(c *Config) { c.TopP, c.MinP, c.TopK, c.Penalties.Repetition = .9, .05, 40, 1.1 },
			"top_p": func(c *Config) { c.TopP = .9 },
			"min_p": func(c *Config) { c.MinP = .05 },
			"all":   func(*Config) {},
		} {
			c := NewConfig(.8)
			edit(&c)
			b.Run(fmt.Sprintf("%s/%s", rowKinds[kind].name, name), func(b *testing.B) {
				builder, _ := NewBuilder(c, n, n)
				b.ReportAllocs()
				var lent model.Logits = lender{row}
				shortest := time.Hour // what a busy machine disturbs least
				for b.Loop() {
					start := time.Now()
					builder.Recycle()
					builder.SamplingDistribution(lent, 0, Position{History: history, Generated: 30})
					shortest = min(shortest, time.Since(start))
				}
				b.ReportMetric(float64(shortest.Nanoseconds())/1e3, "min-us")
			})
		}
	}
}
