package ref

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

func gauss(r *rand.Rand, n int) []float32 {
	x := make([]float32, n)
	for i := range x {
		x[i] = float32(r.NormFloat64())
	}
	return x
}

// The plain product is one sum on every processor.
func TestPlainPair(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 4))
	for steps := 1; steps < 80; steps += 13 {
		w, x := gauss(r, 2*lanes*steps), gauss(r, lanes*steps)
		var got, want [2 * lanes]float32
		plainPair(w, x, &got)
		goPair(w, x, &want)
		if got != want {
			t.Fatalf("%d steps: %v, want %v", steps, got, want)
		}
	}
}

// A product has the same bits however many vectors it meets, and those of a matrix
// in float64 nearly.
func TestProduct(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 5))
	for _, k := range paths() {
		for _, shape := range [][2]int{{2, 32}, {7, 40}, {130, 576}, {34, 1536}, {6, 2100}, {3*turnRows - 5, 200}} {
			rows, cols := shape[0], shape[1]
			d := newDense(rows, cols, make([]float32, denseFloats(rows, cols)), k)
			w := gauss(r, rows*cols)
			for i := range rows {
				d.set(i, w[i*cols:][:cols])
			}
			back := make([]float32, cols)
			for i := range rows {
				if d.row(i, back); !slices.Equal(back, w[i*cols:][:cols]) {
					t.Fatalf("%s %v: row %d does not come back", k.name, shape, i)
				}
			}
			const most = 23
			x, one := newVectors(most, cols), newVectors(most, rows)
			for i := range most {
				copy(x.at(i), gauss(r, cols))
				single := x.from(i)
				single.n = 1
				d.product(one.from(i), input{vectors: single}, 0, rows)
			}
			for n := 1; n <= most; n++ {
				y, some := newVectors(most, rows), x
				some.n = n
				for from := 0; from < rows; from += turnRows {
					d.product(y, input{vectors: some}, from, min(from+turnRows, rows))
				}
				if !slices.Equal(y.data[:n*y.stride], one.data[:n*y.stride]) {
					t.Fatalf("%s %v: %d vectors, not the same bits as one", k.name, shape, n)
				}
			}
			for i := range rows {
				var want, size float64
				for j := range cols {
					p := float64(w[i*cols+j]) * float64(x.at(3)[j])
					want, size = want+p, size+math.Abs(p)
				}
				if got := float64(one.at(3)[i]); math.Abs(got-want) > 1e-6*size {
					t.Fatalf("%s %v: row %d is %v, want %v", k.name, shape, i, got, want)
				}
			}
		}
	}
}

// The lowest id wins a tie, wherever in a row it is.
func TestBest(t *testing.T) {
	r := rand.New(rand.NewPCG(6, 6))
	for _, k := range paths() {
		for _, n := range []int{1, 7, 511, 512, 1500} {
			for range 200 {
				x := gauss(r, n)
				a, b := r.IntN(n), r.IntN(n)
				x[a], x[b] = 9, 9
				if got := k.best(x); got != min(a, b) {
					t.Fatalf("%s: %d floats: %d, want %d", k.name, n, got, min(a, b))
				}
			}
			x := make([]float32, n)
			for i := range x {
				x[i] = float32(math.Inf(-1))
			}
			if got := k.best(x); got != 0 {
				t.Fatalf("%s: all -Inf: %d, want 0", k.name, got)
			}
		}
	}
}

// exp and what is made of it, at the ends of its range too.
func TestSoftmaxAndGate(t *testing.T) {
	for _, k := range paths() {
		for n := 1; n < 40; n++ {
			s := make([]float32, n, n+lanes)
			want, sum := make([]float64, n), 0.0
			for i := range s {
				s[i] = float32(i*i)/-15 + 30
				want[i] = math.Exp(float64(s[i]) - float64(s[0]))
				sum += want[i]
			}
			got := k.softmax(s)
			if math.Abs(float64(got)-sum) > 3e-7*sum {
				t.Fatalf("%s: sum of %d is %v, want %v", k.name, n, got, sum)
			}
			for i, v := range s {
				if math.Abs(float64(v)-want[i]) > 3e-7*want[i] && want[i] > 1e-37 {
					t.Fatalf("%s: exp %v, want %v", k.name, v, want[i])
				}
			}
		}
		for _, v := range []float32{-1000, -100, -88, -20, -1, -1e-9, 0, 1e-9, .5, 3, 88, 1000} {
			g, u := []float32{v, 0, v}, []float32{2, 1, -1}
			want := float64(v) / (1 + math.Exp(-float64(v)))
			k.gate(g, u)
			if math.Abs(float64(g[0])-2*want) > 6e-7*math.Abs(want)+1e-30 || g[1] != 0 || g[2] != -g[0]/2 {
				t.Errorf("%s: gate of %v is %v, want %v", k.name, v, g, want)
			}
		}
	}
}

// NaN goes through softmax and gate, so that a weight that is none reaches the logits,
// where it is an error.
func TestNaNIsKept(t *testing.T) {
	nan := float32(math.NaN())
	for _, k := range paths() {
		for n := 1; n < 40; n++ {
			for i := range n {
				s := make([]float32, n, n+lanes)
				s[i] = nan
				if sum := k.softmax(s); sum == sum {
					t.Fatalf("%s: NaN as number %d of %d gives a sum of %v", k.name, i, n, sum)
				}
				g, u := make([]float32, n), make([]float32, n)
				g[i], u[i] = nan, 1
				if k.gate(g, u); g[i] == g[i] {
					t.Fatalf("%s: the gate of NaN, number %d of %d, is %v", k.name, i, n, g[i])
				}
			}
		}
	}
}

// Every kernel but product gives the same bits on all paths.
func TestKernelsAreOne(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 7))
	for range 300 {
		n, dim := 1+r.IntN(70), lanes*(1+r.IntN(12))
		if r.IntN(3) == 0 {
			dim = 64
		}
		keys, q, p := gauss(r, n*dim), gauss(r, dim), gauss(r, n+3)
		x, w, turns := gauss(r, 96), gauss(r, 96), gauss(r, dim)
		g, u := gauss(r, n), gauss(r, n)
		for i := range g {
			g[i] *= float32(math.Exp2(float64(r.IntN(12) - 4)))
		}
		var want []float32
		for _, k := range paths() {
			scores, mixed := make([]float32, n, n+lanes), slices.Clone(q)
			k.scores(scores, q, keys, dim, n, .125)
			got := append([]float32(nil), scores...)
			sum := k.softmax(scores)
			k.mix(mixed, p, keys, dim, n)
			k.divide(mixed, sum)
			k.rotate(mixed, turns)
			normed, gated, added := make([]float32, 96), slices.Clone(g), slices.Clone(x)
			k.norm(normed, x, w, 90, 1e-5)
			k.gate(gated, u)
			k.add(added, w)
			got = slices.Concat(got, scores, []float32{sum}, mixed, normed, gated, added)
			if want != nil && !slices.Equal(got, want) {
				for i := range got {
					if got[i] != want[i] {
						t.Fatalf("%s: float %d of %d (%d keys of %d) is %v, want %v", k.name, i, len(got), n, dim, got[i], want[i])
					}
				}
			}
			want = got
		}
	}
}
