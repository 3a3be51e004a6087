package ref

import (
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"foretoken/model/checkpoint"
	"foretoken/model/checkpoint/checkpointtest"
	"foretoken/model/modeltest"
)

// quantisedAs is a random checkpoint whose matrices are stored as types in turn, the
// embedding as the first.
func quantisedAs(c checkpoint.Config, types ...checkpoint.DType) *checkpoint.Checkpoint {
	ck := random(c, 11)
	i := 0
	for _, name := range slices.Sorted(maps.Keys(ck.Tensors)) {
		t := ck.Tensors[name]
		if len(t.Shape) != 2 {
			continue
		}
		rows, cols := t.Size()
		values := make([]float32, rows*cols)
		if err := t.Float32(values); err != nil {
			panic(err)
		}
		t.Type = types[i%len(types)]
		t.Data = checkpointtest.Encode(t.Type, values)
		ck.Tensors[name] = t
		i++
	}
	return ck
}

// quantisedModels are packed in every format, tied and not, with biases and norms, and
// partly not packed.
func quantisedModels() map[string]*checkpoint.Checkpoint {
	of := func(hidden int, with func(*checkpoint.Config)) checkpoint.Config {
		return tiny(func(c *checkpoint.Config) {
			c.Hidden, c.Intermediate, c.Vocab, c.Heads, c.KVHeads, c.HeadDim = hidden, 96, 203, 4, 2, 16
			with(c)
		})
	}
	small := of(64, func(c *checkpoint.Config) { c.TiedHead = true })
	wide := of(256, func(c *checkpoint.Config) { c.QKVBias, c.QKNorm, c.HeadDim, c.Intermediate = true, true, 64, 256 })
	deep := of(64, func(c *checkpoint.Config) { c.Layers = manyLayers })
	return map[string]*checkpoint.Checkpoint{
		"deep":             quantisedAs(deep, checkpoint.Q4_1),
		"Q4_0":             quantisedAs(small, checkpoint.Q4_0),
		"Q4_1":             quantisedAs(small, checkpoint.Q4_1),
		"Q8_0":             quantisedAs(small, checkpoint.Q8_0),
		"Q8_0 and Q4_1":    quantisedAs(small, checkpoint.Q8_0, checkpoint.Q4_1, checkpoint.Q4_1),
		"Q5":               quantisedAs(wide, checkpoint.Q5_0, checkpoint.Q5_1),
		"K":                quantisedAs(wide, checkpoint.Q4_K, checkpoint.Q5_K),
		"K, as they come":  quantisedAs(wide, checkpoint.Q4_K, checkpoint.Q6_K, checkpoint.Q4_K),
		"fours":            quantisedAs(wide, checkpoint.IQ4_NL, checkpoint.IQ4_XS, checkpoint.MXFP4),
		"Q3 and Q2":        quantisedAs(wide, checkpoint.Q3_K, checkpoint.Q2_K, checkpoint.IQ4_XS),
		"Q4_0 and float16": quantisedAs(small, checkpoint.Q4_0, checkpoint.F16),
	}
}

func TestPackedConforms(t *testing.T) {
	for name, ck := range quantisedModels() {
		for _, k := range paths() {
			m, err := build(ck, how{k: k, pool: cores()})
			if err != nil {
				t.Fatal(err)
			}
			if err := modeltest.Conform(m, 3); err != nil {
				t.Errorf("%s, %s: %v", name, k.name, err)
			}
		}
	}
}

// A model whose products are all packed is the same to the bit on every path.
func TestPackedPaths(t *testing.T) {
	for name, ck := range quantisedModels() {
		if name == "K, as they come" || name == "Q3 and Q2" || name == "Q4_0 and float16" {
			continue // Q2_K, Q3_K, Q6_K and float16 become float32
		}
		tokens := ids(rand.New(rand.NewPCG(2, 2)), 90, ck.Config.Vocab)
		var want [][]float32
		for _, k := range sets() {
			m, err := build(ck, how{k: k, pool: cores()})
			if err != nil {
				t.Fatal(err)
			}
			for _, w := range append([]matrix{m.head, m.embed}, m.layers[1].matrices()...) {
				if !w.blocked() {
					t.Fatalf("%s: a matrix of %d bytes is not packed", name, w.bytes())
				}
			}
			got := rows(t, m.session(), tokens, len(tokens))
			if want == nil {
				want = got
			}
			if !slices.EqualFunc(got, want, slices.Equal[[]float32]) {
				t.Errorf("%s: %s with blocks on %s is not what %s is", name, k.name, k.blocks.name, plain.name)
			}
		}
	}
}

// A packed model is the float64 one but for the rounding of vectors to int8.
func TestPackedOracle(t *testing.T) {
	for name, ck := range quantisedModels() {
		most := .12 * math.Sqrt(float64(ck.Config.Layers)/3) // of models so small, where little averages out
		tokens := ids(rand.New(rand.NewPCG(3, 3)), 24, ck.Config.Vocab)
		want, _ := oracle{ck, 0}.rows(tokens)
		m, err := build(ck, shipped())
		if err != nil {
			t.Fatal(err)
		}
		worst := 0.0
		for i, row := range rows(t, m.session(), tokens, len(tokens)) {
			worst = max(worst, far(row, want[i]))
		}
		t.Logf("%s: %.3g of the largest", name, worst)
		if !(worst < most) {
			t.Errorf("%s: differs from float64 by %.2g of the largest, want %g at most", name, worst, most)
		}
	}
}

// The last layer of a deep model rounds what its MLP reads twice: what is left is a
// hundredth of what one rounding leaves.
func TestRoundedTwice(t *testing.T) {
	for name, ck := range quantisedModels() {
		m, err := build(ck, shipped())
		if err != nil {
			t.Fatal(err)
		}
		for i, y := range m.layers {
			if want := name == "deep" && i == len(m.layers)-1; y.twice != want {
				t.Errorf("%s: layer %d rounds twice: %v, want %v", name, i, y.twice, want)
			}
		}
	}
	r := rand.New(rand.NewPCG(7, 7))
	x := newVectors(1, 320)
	copy(x.data, gauss(r, 320))
	once, left := quantisedBy(plain, x, 320), newVectors(1, 320)
	once.rest(left.data, 0, x.data)
	again, last := quantisedBy(plain, left, 320), newVectors(1, 320)
	again.rest(last.data, 0, left.data)
	size := func(x []float32) (s float64) {
		for _, v := range x {
			s += float64(v) * float64(v)
		}
		return math.Sqrt(s)
	}
	if a, b, c := size(x.data), size(left.data), size(last.data); b > a/50 || c > b/50 || b == 0 {
		t.Errorf("a vector of size %v leaves %v, then %v", a, b, c)
	}
}

// A step allocates nothing once its buffers are there.
func TestPackedAllocates(t *testing.T) {
	m, err := build(quantisedModels()["Q8_0 and Q4_1"], shipped())
	if err != nil {
		t.Fatal(err)
	}
	s, tokens := m.session(), ids(rand.New(rand.NewPCG(4, 4)), 9, m.config.Vocab)
	for _, n := range []int{9, 1, 5} {
		step := func() {
			l, err := s.Forward(tokens[:n], n)
			if err == nil {
				_, err = l.Argmaxes()
			}
			if err != nil {
				t.Fatal(err)
			}
			if err := s.Trim(0); err != nil {
				t.Fatal(err)
			}
		}
		step()
		if got := testing.AllocsPerRun(20, step); got != 0 {
			t.Errorf("%d rows: %v allocations", n, got)
		}
	}
}
