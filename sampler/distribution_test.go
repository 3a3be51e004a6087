package sampler

import (
	"math"
	"math/rand/v2"
	"testing"

	"foretoken/model"
)

// The draw is the first id at which the running sum exceeds u times the total.
func TestDraw(t *testing.T) {
	row := []float32{float32(math.Log(.25)), -inf, float32(math.Log(.25)), float32(math.Log(.5)), -inf}
	d := build(t, NewConfig(1), row...)
	for u, want := range map[float32]model.Token{0: 0, .24: 0, .26: 2, .49: 2, .51: 3, 1 - 0x1p-24: 3} {
		if got := d.Draw(u); got != want {
			t.Errorf("at %v: %d, want %d", u, got, want)
		}
	}
}

// A target that the running sum reaches is not passed: the next token is drawn.
func TestDrawIsStrict(t *testing.T) {
	for name, d := range map[string]Distribution{
		"sparse": {tokens: []model.Token{1, 3}, weights: []float64{.25, .75}, total: 1},
		"dense":  {dense: []float32{0, .25, 0, .75, 0}, blocks: []float64{1}, total: 1},
	} {
		if a, b := d.Draw(0), d.Draw(.25); a != 1 || b != 3 {
			t.Errorf("%s: %d at 0 and %d at .25, want 1 and 3", name, a, b)
		}
	}
}

// Where rounding leaves the sum at the target, the last token with a weight.
func TestDrawFallsBackOnTheLast(t *testing.T) {
	for name, d := range map[string]Distribution{
		"sparse": {tokens: []model.Token{2, 5}, weights: []float64{.5, .5}, total: 1.1},
		"dense":  {dense: []float32{0, .25, 0, .25, 0, .5, 0, 0}, blocks: []float64{1}, total: 1.1},
	} {
		if got := d.Draw(1 - 0x1p-24); got != 5 {
			t.Errorf("%s: %d, want 5", name, got)
		}
	}
}

// Dense weights draw what the plain running sum draws.
func TestDrawDense(t *testing.T) {
	r := rand.New(rand.NewPCG(6, 1))
	for _, kind := range []int{0, 2, 5, 10} {
		d := build(t, NewConfig(1), makeRow(r, kind, 5000)...)
		if d.dense == nil && kind != 10 {
			t.Fatalf("%s: not dense", rowKinds[kind].name)
		}
		for range 200 {
			u := r.Float32()
			got, sum := d.Draw(u), 0.0
			for x, p := range d.All() {
				if sum += p; x == got {
					break
				}
			}
			if low := sum - d.Prob(got); low > float64(u)+1e-12 || sum < float64(u)-1e-12 {
				t.Fatalf("%s: at %v drew %d, which covers %v to %v", rowKinds[kind].name, u, got, low, sum)
			}
		}
	}
}

// A million numbers of a stream: a chi-square of 7 degrees of freedom, whose
// .9999 quantile is 29.9.
func TestSampleLaw(t *testing.T) {
	d := build(t, NewConfig(.9), 1, 0, 2, -1, 1.5, 0, .3, -2)
	rng, n, counts := NewPCG32(DefaultSeed, TargetStream), 1_000_000, [8]int{}
	for range n {
		counts[d.Sample(rng)]++
	}
	chi := 0.0
	for i, c := range counts {
		want := float64(n) * d.Prob(model.Token(i))
		chi += (float64(c) - want) * (float64(c) - want) / want
	}
	if chi > 29.9 {
		t.Errorf("chi-square %v at 7 degrees of freedom", chi)
	}
}

// A point takes no number.
func TestPointTakesNoNumber(t *testing.T) {
	r := NewPCG32(1, 1)
	before := *r
	if x := Point(4).Sample(r); x != 4 || *r != before {
		t.Errorf("drew %d, state moved %v", x, *r != before)
	}
	if d := Point(4); d.Prob(4) != 1 || d.Prob(3) != 0 || d.Len() != 1 || d.Fingerprint() != PointFingerprint {
		t.Errorf("%+v", d)
	}
	if zero := (Distribution{}); zero.IsPoint() || zero.Prob(0) != 0 || zero.Len() != 0 {
		t.Error("the zero distribution has a token")
	}
}

// p - q and min(p, q) by their definitions, over every pair of representations.
func TestResidualAndOverlap(t *testing.T) {
	r := rand.New(rand.NewPCG(6, 2))
	const n = 4000
	var ds []Distribution
	for _, topK := range []int{1, 40, 2000, 0} {
		for range 2 {
			c := NewConfig(1)
			c.TopK = topK
			ds = append(ds, build(t, c, makeRow(r, 0, n)...))
		}
	}
	for i, p := range ds {
		for j, q := range ds {
			left, overlap := 0.0, 0.0
			for x := range model.Token(n) {
				left += max(p.Prob(x)-q.Prob(x), 0)
				overlap += min(p.Prob(x), q.Prob(x))
			}
			if got := Overlap(p, q); math.Abs(got-overlap) > 1e-9 {
				t.Errorf("%d, %d: overlap %v, want %v", i, j, got, overlap)
			}
			got := Residual(p, q)
			for x := range model.Token(n) {
				want := max(p.Prob(x)-q.Prob(x), 0) / left
				if i == j {
					want = p.Prob(x)
				}
				if math.Abs(got.Prob(x)-want) > 1e-12 {
					t.Fatalf("%d, %d: residual of %d is %v, want %v", i, j, x, got.Prob(x), want)
				}
			}
			for x, w := range got.All() {
				if !(w > 0) {
					t.Fatalf("%d, %d: token %d is in the residual's support with %v", i, j, x, w)
				}
			}
			if got.Fingerprint() != p.Fingerprint() {
				t.Errorf("residual is of %q", got.Fingerprint())
			}
		}
	}
}

// Overlap is the exact chance of acceptance, 1 - TV(p, q); of a point it is p(x).
func TestOverlapAnchors(t *testing.T) {
	p := build(t, NewConfig(1), float32(math.Log(1.0/3)), float32(math.Log(2.0/3)))
	q := build(t, NewConfig(1), float32(math.Log(2.0/3)), float32(math.Log(1.0/3)))
	if got := Overlap(p, q); math.Abs(got-2.0/3) > 1e-7 {
		t.Errorf("overlap %v, want 2/3", got)
	}
	if got := Overlap(p, Point(1)); math.Abs(got-2.0/3) > 1e-7 {
		t.Errorf("overlap with a point %v, want p of it, 2/3", got)
	}
	if r := Residual(p, Point(1)); !r.IsPoint() || r.Draw(0) != 0 {
		t.Errorf("what is left of two without one is %v", support(r))
	}
}
