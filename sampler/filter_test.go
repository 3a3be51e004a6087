package sampler

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"foretoken/model"
)

// The orders differ where they must.
func TestOrders(t *testing.T) {
	for _, c := range []struct {
		name  string
		order Order
		t     float32
		topP  float32
		row   []float32
		want  []model.Token
	}{
		{"temperature sharpens first", TemperatureFirst, .5, .8, []float32{3, 2, 1}, []model.Token{0}},
		{"filters see temperature 1", MLXLM, .5, .8, []float32{3, 2, 1}, []model.Token{0, 1}},
		{"a tie is cut by rank", TemperatureFirst, 1, .5, []float32{1, 1}, []model.Token{0}},
		{"a tie stays whole", MLXLM, 1, .5, []float32{1, 1}, []model.Token{0, 1}},
		{"a small top_p is argmax", TemperatureFirst, 1, 1e-6, []float32{0, 4, 4, 4}, []model.Token{1}},
		{"the unnamed order", "", .5, .8, []float32{3, 2, 1}, []model.Token{0}},
	} {
		cfg := NewConfig(c.t)
		cfg.Order, cfg.TopP = c.order, c.topP
		if got := support(build(t, cfg, c.row...)); !slices.Equal(got, c.want) {
			t.Errorf("%s: support %v, want %v", c.name, got, c.want)
		}
	}
}

// What each order keeps of probabilities .1, .2, .3, .4, and of ties at top-k's end.
func TestTopKFirst(t *testing.T) {
	ramp := []float32{float32(math.Log(.1)), float32(math.Log(.2)), float32(math.Log(.3)), float32(math.Log(.4))}
	for _, c := range []struct {
		order Order
		t     float32
		topK  int
		topP  float32
		row   []float32
		want  []model.Token
	}{
		{TemperatureFirst, 1, 2, .5, ramp, []model.Token{2, 3}},
		{MLXLM, 1, 2, .5, ramp, []model.Token{2, 3}},
		{Transformers, 1, 2, .5, ramp, []model.Token{3}}, // 4/7 is enough
		{LlamaCPP, 1, 2, .5, ramp, []model.Token{3}},
		{Transformers, 10, 2, .52, ramp, []model.Token{2, 3}}, // hot, the two are nearly equal
		{LlamaCPP, 10, 2, .52, ramp, []model.Token{3}},        // and here not yet
		{Transformers, 1, 2, 1, []float32{1, 2, 1, 1}, []model.Token{0, 1, 2, 3}},
		{LlamaCPP, 1, 2, 1, []float32{1, 2, 1, 1}, []model.Token{0, 1}},
		{Transformers, 1, 0, .5, ramp, []model.Token{2, 3}}, // without top-k as temperature-first
		{Transformers, 1, 9, .5, ramp, []model.Token{2, 3}},
	} {
		cfg := NewConfig(c.t)
		cfg.Order, cfg.TopP, cfg.TopK = c.order, c.topP, c.topK
		if got := support(build(t, cfg, c.row...)); !slices.Equal(got, c.want) {
			t.Errorf("%s, temperature %v, top_k %d, top_p %v of %v: support %v, want %v", c.order, c.t, c.topK, c.topP, c.row, got, c.want)
		}
	}
}

// Ties: top_k = 1 is argmax, the lowest id, on every path and in every order but transformers'.
func TestTopOneIsArgmax(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 1))
	for i := range 1000 {
		row := makeRow(r, i%len(rowKinds), 1+r.IntN(600))
		if slices.Max(row) == -inf {
			row[0] = 0
		}
		want := model.Token(slices.Index(row, slices.Max(row)))
		c := NewConfig(.7)
		c.Order, c.TopK = pick(r, TemperatureFirst, MLXLM, LlamaCPP), 1 // transformers keeps what ties
		hot, greedy := build(t, c, row...), NewConfig(0)
		greedy.LogitBias = map[model.Token]float32{-1: 1} // no gate
		if got := hot.Draw(.5); got != want || !hot.IsPoint() {
			t.Fatalf("top_k 1 of %s is %d, want %d", rowKinds[i%len(rowKinds)].name, got, want)
		}
		if got := build(t, greedy, row...).Draw(0); got != want {
			t.Fatalf("host argmax of %s is %d, want %d", rowKinds[i%len(rowKinds)].name, got, want)
		}
	}
}

// Loosening one filter never loses a token.
func TestFiltersAreMonotone(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 2))
	for i := range 2000 {
		n := 2 + r.IntN(3000)
		row, c := makeRow(r, i%len(rowKinds), n), makeConfig(r, n)
		if slices.Max(row) == -inf {
			continue
		}
		c.LogitBias, c.Temperature = nil, .8
		if c.TopP == 0 {
			c.TopP = .3
		}
		loose := c
		switch r.IntN(3) {
		case 0:
			loose.TopP = min(1, c.TopP+.1)
		case 1:
			loose.MinP = c.MinP / 2
		case 2:
			if loose.TopK++; c.TopK == 0 {
				loose.TopK = 0
			}
		}
		tight, wide := build(t, c, row...), build(t, loose, row...)
		for x := range tight.All() {
			if wide.Prob(x) == 0 {
				t.Fatalf("%+v keeps %d of %s, and %+v drops it", c, x, rowKinds[i%len(rowKinds)].name, loose)
			}
		}
	}
}

// A million draws over rows and filters: nothing masked, banned or padded.
func TestMaskedIsNeverDrawn(t *testing.T) {
	r, rng := rand.New(rand.NewPCG(5, 3)), NewPCG32(1, TargetStream)
	draws := 0
	for i := 0; draws < 1_000_000; i++ {
		n := 2 + r.IntN(300)
		row, c, e := makeRow(r, i%len(rowKinds), n+5), makeConfig(r, n), everyOther(r.Uint64())
		c.LogitBias = map[model.Token]float32{1: -inf}
		for t := range n {
			if !e.allows(t) {
				c.LogitBias[model.Token(t)] = 1e30 // a masked id stays masked whatever its bias
			}
		}
		b, err := NewBuilder(c, n+5, n)
		if err != nil {
			t.Fatal(err)
		}
		d, err := b.SamplingDistribution(logits(row), 0, Position{Engine: e})
		if err != nil {
			continue // the mask left nothing
		}
		for range 2000 {
			draws++
			if x := d.Sample(rng); !e.allows(int(x)) || int(x) >= n || x == 1 {
				t.Fatalf("drew %d of %d", x, n)
			}
		}
	}
}

// Best is rank order, mask and penalties included, at any temperature.
func TestBest(t *testing.T) {
	for _, temperature := range []float32{0, 1} {
		c := NewConfig(temperature)
		c.LogitBias = map[model.Token]float32{3: -10}
		b, _ := NewBuilder(c, 5, 5)
		got, err := b.Best(logits{1, 2, 2, 9, -inf}, 0, Position{}, 4)
		if err != nil || !slices.Equal(got, []model.Token{1, 2, 0, 3}) {
			t.Errorf("t=%v: %v %v", temperature, got, err)
		}
		got, err = b.Best(logits{1, 2, 2, 9, -inf}, 0, Position{Engine: only(0)}, 4)
		if err != nil || !slices.Equal(got, []model.Token{0}) {
			t.Errorf("masked, t=%v: %v %v", temperature, got, err)
		}
	}
}

// The exponential of the row kernels is good to a float32's last bits.
func TestPow2(t *testing.T) {
	for x := float32(0); x > -130; x -= .0137 {
		got, want := float64(pow2(x)), math.Exp2(float64(x))
		if x < floor {
			want = 0
		}
		if math.Abs(got-want) > 2e-7*want {
			t.Fatalf("2^%v is %v, want %v", x, got, want)
		}
	}
	if pow2(0) != 1 || pow2(-inf) != 0 {
		t.Errorf("2^0 is %v, 2^-Inf is %v", pow2(0), pow2(-inf))
	}
}
