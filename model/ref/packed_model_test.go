package ref

import (
	"maps"
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
	return map[string]*checkpoint.Checkpoint{
		"Q4_0":             quantisedAs(small, checkpoint.Q4_0),
		"Q4_1":             quantisedAs(small, checkpoint.Q4_1),
		"Q8_0":             quantisedAs(small, checkpoint.Q8_0),
		"Q8_0 and Q4_1":    quantisedAs(small, checkpoint.Q8_0, checkpoint.Q4_1, checkpoint.Q4_1),
		"Q5":               quantisedAs(wide, checkpoint.Q5_0, checkpoint.Q5_1),
		"K":                quantisedAs(wide, checkpoint.Q4_K, checkpoint.Q5_K),
		"K, as they come":  quantisedAs(wide, checkpoint.Q4_K, checkpoint.Q6_K, checkpoint.Q4_K),
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
		if name == "K, as they come" || name == "Q4_0 and float16" {
			continue // Q6_K and float16 become float32
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
	const most = .12 // of models so small, where little averages out
	for name, ck := range quantisedModels() {
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
