package ref

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"foretoken/model"
	"foretoken/model/checkpoint"
	"foretoken/model/modeltest"
)

// paths are the sets of kernels that this build can run.
func paths() []*kernels {
	if simd == nil {
		return []*kernels{plain}
	}
	return []*kernels{plain, simd}
}

// shipped is how New makes a model.
func shipped() how { return how{k: fastest(), pool: cores()} }

// each runs f on a model of every family, with every set of kernels.
func each(t *testing.T, f func(t *testing.T, ck *checkpoint.Checkpoint, m *Model)) {
	for name, c := range families {
		ck := random(c, 11)
		for _, k := range paths() {
			t.Run(name+"/"+k.name, func(t *testing.T) {
				m, err := build(ck, how{k: k, pool: cores()})
				if err != nil {
					t.Fatal(err)
				}
				f(t, ck, m)
			})
		}
	}
}

func ids(r *rand.Rand, n, vocab int) []model.Token {
	out := make([]model.Token, n)
	for i := range out {
		out[i] = model.Token(r.IntN(vocab))
	}
	return out
}

func rows(t *testing.T, s model.Session, tokens []model.Token, n int) [][]float32 {
	t.Helper()
	l, err := s.Forward(tokens, n)
	if err != nil {
		t.Fatal(err)
	}
	out := make([][]float32, n)
	for i := range out {
		out[i] = make([]float32, s.(interface{ vocab() int }).vocab())
		if err := l.Read(i, out[i]); err != nil {
			t.Fatal(err)
		}
	}
	return out
}

func (s *session) vocab() int { return s.m.config.Vocab }

// far is the largest difference over the largest value.
func far(got []float32, want []float64) float64 {
	var d, top float64
	for i, w := range want {
		d, top = max(d, math.Abs(float64(got[i])-w)), max(top, math.Abs(w))
	}
	return d / top
}

// tolerance is an order below what the package comment states: these models are small.
const tolerance = 1e-5

// Logits, first layers and taps are those of the float64 model.
func TestOracle(t *testing.T) {
	each(t, func(t *testing.T, ck *checkpoint.Checkpoint, m *Model) {
		tokens := ids(rand.New(rand.NewPCG(1, 1)), 30, ck.Config.Vocab)
		want, states := oracle{ck, 0}.rows(tokens)
		s, err := m.NewTappedSession([]int{0, 2, 3})
		if err != nil {
			t.Fatal(err)
		}
		worst := 0.0
		for i, row := range rows(t, s.(tapped).session, tokens, len(tokens)) {
			worst = max(worst, far(row, want[i]))
		}
		hidden, err := s.(model.HiddenTap).Hidden(0, len(tokens))
		if err != nil || hidden.Len() != len(tokens) {
			t.Fatal(hidden, err)
		}
		for i := range tokens {
			state := hidden.(States).At(i)
			for j, l := range []int{0, 2, 3} {
				worst = max(worst, far(state[j*ck.Config.Hidden:][:ck.Config.Hidden], states[i][l]))
			}
		}
		first, err := m.FirstLayers(2)
		if err != nil {
			t.Fatal(err)
		}
		short, _ := first.NewSession()
		want, _ = oracle{ck, 2}.rows(tokens)
		for i, row := range rows(t, short, tokens, len(tokens)) {
			worst = max(worst, far(row, want[i]))
		}
		if worst > tolerance {
			t.Errorf("differs from float64 by %.2g of the largest, want %g at most", worst, tolerance)
		}
	})
}

func TestConforms(t *testing.T) {
	each(t, func(t *testing.T, _ *checkpoint.Checkpoint, m *Model) {
		if err := modeltest.Conform(m, 3); err != nil {
			t.Error(err)
		}
	})
}

// The number of workers, and blocks on either side of the limit, change no bit.
func TestWorkersAndBlocks(t *testing.T) {
	for name, c := range families {
		for _, k := range paths() {
			t.Run(name+"/"+k.name, func(t *testing.T) {
				c.Context = 0
				ck := random(c, 5)
				tokens := ids(rand.New(rand.NewPCG(2, 2)), 2*block+7, c.Vocab)
				var want [][]float32
				for _, workers := range []int{1, 2, 3} {
					m, err := build(ck, how{k: k, pool: newPool(workers)})
					if err != nil {
						t.Fatal(err)
					}
					for _, split := range []int{1, 5, block - 1, block, len(tokens)} {
						s, _ := m.NewSession()
						var got [][]float32
						for at := 0; at < len(tokens); at += split {
							some := tokens[at:min(at+split, len(tokens))]
							got = append(got, rows(t, s, some, len(some))...)
						}
						if want == nil {
							want = got
						}
						if !slices.EqualFunc(got, want, slices.Equal[[]float32]) {
							t.Fatalf("%d workers, %d at a time: not the same logits", workers, split)
						}
					}
				}
			})
		}
	}
}
