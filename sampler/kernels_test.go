package sampler

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// Whatever loops this machine has, against the plain ones: selections are equal,
// sums within 1e-6 of the total, weights within 4e-7 of themselves.
func TestKernels(t *testing.T) {
	t.Log("kernels: " + Kernels())
	r := rand.New(rand.NewPCG(8, 1))
	for i := range 3000 {
		kind, n := i%len(rowKinds), 1+r.IntN(2500)
		x := makeRow(r, kind, n)
		switch r.IntN(4) {
		case 0:
			x[r.IntN(n)] = float32(math.NaN())
		case 1:
			x[r.IntN(n)] = inf
		}
		name := fmt.Sprintf("%s of %d", rowKinds[kind].name, n)
		compareSelections(t, name, x, x[r.IntN(n)], r.IntN(n), r.IntN(2*n))
		x = makeRow(r, kind, n)
		compareParts(t, r, name, x)
		compareSums(t, r, name, x, slices.Max(x), pick(r, scale(1), scale(.01), scale(40), scale(1e-44)))
	}
}

func compareSelections(t *testing.T, name string, x []float32, least float32, from, room int) {
	t.Helper()
	top, ok := maxOf(x)
	wantTop, wantOK := maxPlain(x)
	if ok != wantOK || ok && top != wantTop {
		t.Fatalf("%s: greatest %v %v, want %v %v", name, top, ok, wantTop, wantOK)
	}
	a, b := make([]int32, room+vectorRoom), make([]int32, len(x))
	n, next := above(a, x, from, least)
	m, _ := abovePlain(b, x[:next], from, least)
	if !slices.Equal(a[:n], b[:m]) || next < len(x) && n == 0 {
		t.Fatalf("%s above %v from %d: %d to %d, want %d", name, least, from, n, next, m)
	}
	if m, _ = abovePlain(b, x, from, least); m <= room && next != len(x) {
		t.Fatalf("%s: stopped at %d of %d with room for all %d", name, next, len(x), m)
	}
}

func compareParts(t *testing.T, r *rand.Rand, name string, x []float32) {
	t.Helper()
	w, a, b := make([]float32, len(x)), make([]float32, len(x)+1), make([]float32, len(x)+1)
	for i := range w {
		w[i] = r.Float32()
	}
	first, last := x[r.IntN(len(x))], x[r.IntN(len(x))]
	first, last = max(first, last), min(first, last)
	in, want := make([]int32, len(x)+1), make([]int32, len(x)+1)
	p, q := splitAt(in, x, w, first, last), splitPlain(want, x, w, 0, first, last)
	near := func(a, b float64) bool { return math.Abs(a-b) <= 1e-12*b }
	if p.above != q.above || !slices.Equal(in[:p.inside], want[:q.inside]) || !near(p.aboveWeight, q.aboveWeight) || !near(p.insideWeight, q.insideWeight) {
		t.Fatalf("%s split at %v and %v: %+v, want %+v", name, first, last, p, q)
	}
	if got, want := keep(a, w, x, last), keepPlain(b, w, x, last); !slices.Equal(a, b) || !near(got, want) {
		t.Fatalf("%s kept above %v: %v, want %v", name, last, got, want)
	}
}

func compareSums(t *testing.T, r *rand.Rand, name string, x []float32, top, scale float32) {
	t.Helper()
	if top == -inf {
		return
	}
	dst, want := make([]float32, len(x)), make([]float32, len(x))
	sum, wantSum := expInto(dst, x, top, scale), expIntoPlain(want, x, top, scale)
	if only := expSum(x, top, scale); math.Abs(only-wantSum) > 1e-6*wantSum {
		t.Fatalf("%s: sum %v, want %v", name, only, wantSum)
	}
	for _, bounds := range []func(x []float32, top, scale float32) (low, high float64){expSumBounds, expSumBoundsPlain} {
		if low, high := bounds(x, top, scale); low > wantSum*(1+1e-6) || high < wantSum*(1-1e-6) {
			t.Fatalf("%s at scale %v: sum in %v to %v, want %v", name, scale, low, high, wantSum)
		}
	}
	if written := sum64(dst); math.Abs(sum-written) > 1e-12*written {
		t.Fatalf("%s: sum %v of weights that add up to %v", name, sum, written)
	}
	for i := range dst {
		if math.Abs(float64(dst[i])-float64(want[i])) > 4e-7*float64(want[i]) {
			t.Fatalf("%s: weight %d is %v, want %v", name, i, dst[i], want[i])
		}
	}
}

func BenchmarkKernels(b *testing.B) {
	x := makeRow(rand.New(rand.NewPCG(8, 2)), 0, 152_064)
	dst, ids := make([]float32, len(x)), make([]int32, 4096)
	b.Run("max", func(b *testing.B) {
		for b.Loop() {
			maxOf(x)
		}
	})
	b.Run("expSum", func(b *testing.B) {
		for b.Loop() {
			expSum(x, 20, 1)
		}
	})
	b.Run("expSumPlain", func(b *testing.B) {
		for b.Loop() {
			expSumPlain(x, 20, 1)
		}
	})
	b.Run("expInto", func(b *testing.B) {
		for b.Loop() {
			expInto(dst, x, 20, 1)
		}
	})
	b.Run("above", func(b *testing.B) {
		for b.Loop() {
			above(ids, x, 0, 12)
		}
	})
	b.Run("copy", func(b *testing.B) {
		for b.Loop() {
			copy(dst, x)
		}
	})
}
