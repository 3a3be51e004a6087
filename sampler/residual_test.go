package sampler

import (
	"math/rand/v2"
	"testing"

	"foretoken/model"
)

// residualForms are distributions of every form: points, few and many ids, dense ones, and a
// dense one that is wider.
func residualForms(t *testing.T, r *rand.Rand) map[string]Distribution {
	const n = 5000
	forms := map[string]Distribution{"point": Point(4711), "point past the end": Point(n + 3), "wide": build(t, NewConfig(1), makeRow(r, 0, n+700)...)}
	for name, topK := range map[string]int{"few": 40, "many": 1200, "most": 4000, "all": 0, "all too": 0} {
		c := NewConfig(1)
		c.TopK = topK
		forms[name] = build(t, c, makeRow(r, 0, n)...)
	}
	if forms["most"].dense == nil || forms["all"].dense == nil || forms["many"].dense != nil {
		t.Fatal("the forms are not what they are called")
	}
	return forms
}

// DrawResidual draws what Residual draws, at every number that is not within rounding
// of the border of two tokens.
func TestDrawResidual(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 1))
	forms := residualForms(t, r)
	for a, p := range forms {
		for b, q := range forms {
			left, drawn := Residual(p, q), 0
			for range 300 {
				u := r.Float32()
				if u > .99 {
					u = 1 - 0x1p-24
				}
				got := DrawResidual(p, q, u)
				if left.Prob(got) == 0 {
					t.Fatalf("%s less %s: at %v drew %d, which is not in it", a, b, u, got)
				}
				if want := left.Draw(u); got != want {
					if before := cumulative(left, max(got, want)); before < float64(u)-1e-9 || before > float64(u)+1e-9 {
						t.Fatalf("%s less %s: at %v drew %d, want %d", a, b, u, got, want)
					}
					continue
				}
				drawn++
			}
			if drawn < 290 {
				t.Errorf("%s less %s: %d of 300 draws are on a border", a, b, 300-drawn)
			}
		}
	}
}

// A block of the residual weighs what its ids weigh.
func TestResidue(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 7))
	forms := residualForms(t, r)
	for a, p := range forms {
		for b, q := range forms {
			sums, ids := newResidue(p, q), newResidue(p, q)
			for i := range p.blocks {
				got, want := sums.sum(i), 0.0
				from, to := block(i, len(p.dense))
				for id := from; id < to; id++ {
					want += ids.at(id)
				}
				if got < want-1e-14 || got > want+1e-14 {
					t.Fatalf("%s less %s: block %d has %v, want %v", a, b, i, got, want)
				}
			}
		}
	}
}

// cumulative is the probability of what comes before x.
func cumulative(d Distribution, x model.Token) float64 {
	sum := 0.0
	for y, p := range d.All() {
		if y >= x {
			break
		}
		sum += p
	}
	return sum
}

// Where p and q are one nothing is left, and the draw is p's.
func TestDrawResidualOfNothing(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 2))
	for name, p := range residualForms(t, r) {
		for range 50 {
			if u := r.Float32(); DrawResidual(p, p, u) != p.Draw(u) {
				t.Fatalf("%s: at %v drew %d, want %d", name, u, DrawResidual(p, p, u), p.Draw(u))
			}
		}
	}
}

// On rows of a real vocabulary nothing is written out.
func TestDrawResidualAllocates(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 3))
	p, q := build(t, NewConfig(1), makeRow(r, 0, 49_152)...), build(t, NewConfig(1), makeRow(r, 0, 49_152)...)
	if n := testing.AllocsPerRun(10, func() { DrawResidual(p, q, .5); DrawResidual(p, Point(9), .5) }); n > 0 {
		t.Errorf("%v allocations", n)
	}
}

// Vectors add what the plain loop adds, to the bit.
func TestExcesses(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 4))
	for range 2000 {
		p, q := make([]float32, r.IntN(70)), []float32(nil)
		for i := range p {
			p[i] = r.Float32()
			q = append(q, p[i]+float32(r.NormFloat64())*pick[float32](r, 0, .5, 1e-6))
		}
		np, nq := r.Float64(), r.Float64()
		if np < .2 {
			nq = np
		}
		if got, want := excesses(p, q, np, nq), excessesPlain(p, q, np, nq); got != want {
			t.Fatalf("%d ids: %v, want %v", len(p), got, want)
		}
	}
}

// The sums that a draw goes by are those of the weights, and add up to the total.
func TestBlocks(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 5))
	for name, d := range residualForms(t, r) {
		total := 0.0
		for b, sum := range d.blocks {
			from, to := block(b, len(d.dense))
			if want := sum64(d.dense[from:to]); sum < want*(1-1e-14) || sum > want*(1+1e-14) {
				t.Fatalf("%s: block %d has %v, want %v", name, b, sum, want)
			}
			total += sum
		}
		if d.dense != nil && total != d.total {
			t.Fatalf("%s: %v in all, want %v", name, total, d.total)
		}
	}
}

func BenchmarkDense(b *testing.B) {
	r := rand.New(rand.NewPCG(9, 6))
	x, y := makeRow(r, 0, 49_152), makeRow(r, 0, 49_152)
	builder, _ := NewBuilder(NewConfig(1), len(x), len(x))
	p, _ := builder.SamplingDistribution(lender{x}, 0, Position{})
	q, _ := builder.SamplingDistribution(lender{y}, 0, Position{})
	for name, f := range map[string]func(){
		"build":                  func() { builder.Recycle(); builder.SamplingDistribution(lender{x}, 0, Position{}) },
		"draw":                   func() { p.Draw(.7) },
		"draw from the residual": func() { DrawResidual(p, q, .7) },
		"without a point":        func() { DrawResidual(p, Point(7), .7) },
	} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				f()
			}
		})
	}
}
