//go:build mlx

package llama_test

import (
	"math"
	"math/rand/v2"
	"path/filepath"
	"testing"

	"foretoken/mlx"
	"foretoken/mlx/llama"
	"foretoken/mlx/mlxtest"
	"foretoken/model"
	"foretoken/model/checkpoint"
	"foretoken/model/checkpoint/checkpointtest"
	"foretoken/model/modeltest"
	"foretoken/model/ref"
)

// Tolerances are of a logit, as part of the largest, against model/ref, which
// computes in float32.
var tolerance = map[checkpoint.DType]float64{
	checkpoint.F32: 1e-5, checkpoint.F16: 3e-3, checkpoint.BF16: 2e-2,
}

// families are small models of every kind that is read.
var families = map[string]checkpoint.Config{
	"llama":       small("llama", func(c *checkpoint.Config) {}),
	"llama tied":  small("llama", func(c *checkpoint.Config) { c.TiedHead = true }),
	"biases":      small("llama", func(c *checkpoint.Config) { c.QKVBias, c.OutputBias = true, true }),
	"linear rope": small("llama", func(c *checkpoint.Config) { c.RopeScaling = &checkpoint.RopeScaling{Type: "linear", Factor: 4} }),
	"yarn rope": small("llama", func(c *checkpoint.Config) {
		c.RopeScaling = &checkpoint.RopeScaling{Type: "yarn", Factor: 4, OriginalContext: 32, BetaFast: 32, BetaSlow: 1, Attention: 1.14}
	}),
	"llama3 rope": small("llama", func(c *checkpoint.Config) { c.RopeScaling = &llama3 }),
	"mistral":     small("mistral", func(c *checkpoint.Config) {}),
	"window of 7": small("mistral", func(c *checkpoint.Config) { c.SlidingWindow = 7 }),
	"qwen2":       small("qwen2", func(c *checkpoint.Config) {}),
	"qwen3":       small("qwen3", func(c *checkpoint.Config) {}),
	"uneven":      small("llama", func(c *checkpoint.Config) { c.Hidden, c.Vocab, c.Intermediate, c.HeadDim = 37, 51, 41, 6 }),
	"group of 1":  small("llama", func(c *checkpoint.Config) { c.KVHeads = c.Heads }),
}

var llama3 = checkpoint.RopeScaling{Type: "llama3", Factor: 8, LowFreqFactor: 1, HighFreqFactor: 4, OriginalContext: 64}

func small(arch string, with func(*checkpoint.Config)) checkpoint.Config {
	c := checkpointtest.Small(arch)
	with(&c)
	return c
}

func engine(t testing.TB) *mlx.Engine {
	t.Helper()
	return engineWith(t, func(*mlx.Options) {})
}

// engineWith is another engine where the options differ.
func engineWith(t testing.TB, change func(*mlx.Options)) *mlx.Engine {
	t.Helper()
	o := mlxtest.Options()
	change(&o)
	e, err := mlx.Open(o)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// write makes a random checkpoint and opens it.
func write(t *testing.T, c checkpoint.Config, d checkpoint.DType) *checkpoint.Checkpoint {
	t.Helper()
	dir := t.TempDir()
	if err := checkpointtest.New(c, 7).WriteFolder(dir, d, 1); err != nil {
		t.Fatal(err)
	}
	return opened(t, dir)
}

func opened(t *testing.T, path string) *checkpoint.Checkpoint {
	t.Helper()
	ck, err := checkpoint.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { ck.Close() })
	return ck
}

func loaded(t testing.TB, ck *checkpoint.Checkpoint) *llama.Model {
	t.Helper()
	return loadedOn(t, engine(t), ck)
}

func loadedOn(t testing.TB, e *mlx.Engine, ck *checkpoint.Checkpoint) *llama.Model {
	t.Helper()
	m, err := llama.New(e, ck, llama.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { m.Close() })
	return m
}

func session(t *testing.T, m model.Model) model.Session {
	t.Helper()
	s, err := m.NewSession()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

func ids(seed uint64, n, vocab int) []model.Token {
	r := rand.New(rand.NewPCG(seed, 9))
	out := make([]model.Token, n)
	for i := range out {
		out[i] = model.Token(r.IntN(vocab))
	}
	return out
}

// rows forwards tokens and reads the last n rows.
func rows(t *testing.T, s model.Session, tokens []model.Token, n, vocab int) [][]float32 {
	t.Helper()
	l, err := s.Forward(tokens, n)
	if err != nil {
		t.Fatal(err)
	}
	out := make([][]float32, n)
	for i := range out {
		out[i] = make([]float32, vocab)
		if err := l.Read(i, out[i]); err != nil {
			t.Fatal(err)
		}
	}
	return out
}

// apart is the largest difference of any logit over the largest logit.
func apart(got, want [][]float32) float64 {
	var d, top float64
	for i := range want {
		for j, w := range want[i] {
			d, top = max(d, math.Abs(float64(got[i][j])-float64(w))), max(top, math.Abs(float64(w)))
		}
	}
	return d / top
}

func TestConforms(t *testing.T) {
	for name, c := range families {
		t.Run(name, func(t *testing.T) {
			if err := modeltest.ConformWithin(loaded(t, write(t, c, checkpoint.F32)), 3, 1e-4); err != nil {
				t.Error(err)
			}
		})
	}
}

// So it does with half the bits, as far as those tell, and with quantised weights.
func TestHalfConforms(t *testing.T) {
	for name, c := range families {
		for d, tolerance := range map[checkpoint.DType]float64{checkpoint.F16: .05, checkpoint.BF16: .4} {
			t.Run(name+"/"+d.String(), func(t *testing.T) {
				if err := modeltest.ConformWithin(loaded(t, write(t, c, d)), 3, tolerance); err != nil {
					t.Error(err)
				}
			})
		}
	}
	for _, arch := range []string{"llama", "qwen2", "qwen3"} {
		for _, bits := range []int{4, 8} {
			dir := t.TempDir()
			if err := checkpointtest.New(wide(arch), 7).WriteAffine(dir, checkpoint.F32, bits, 32, 2, nil); err != nil {
				t.Fatal(err)
			}
			if err := modeltest.ConformWithin(loaded(t, opened(t, dir)), 3, 1e-4); err != nil {
				t.Errorf("%s, %d bits: %v", arch, bits, err)
			}
		}
	}
}

// Logits are those of model/ref, for every family and type, for all first layers,
// at any division into calls, with rollbacks between.
func TestAgreesWithRef(t *testing.T) {
	for name, c := range families {
		for _, d := range []checkpoint.DType{checkpoint.F32, checkpoint.F16, checkpoint.BF16} {
			t.Run(name+"/"+d.String(), func(t *testing.T) { agree(t, write(t, c, d), tolerance[d]) })
		}
	}
}

// A GGUF's blocks are computed with as float32.
func TestGGUFAgreesWithRef(t *testing.T) {
	for _, d := range []checkpoint.DType{checkpoint.F32, checkpoint.F16, checkpoint.Q8_0, checkpoint.Q4_1} {
		t.Run(d.String(), func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "m.gguf")
			if err := checkpointtest.New(small("llama", func(*checkpoint.Config) {}), 7).WriteGGUF(path, d); err != nil {
				t.Fatal(err)
			}
			want := tolerance[checkpoint.F32]
			if d == checkpoint.F16 {
				want = tolerance[d]
			}
			agree(t, opened(t, path), want)
		})
	}
}

func agree(t *testing.T, ck *checkpoint.Checkpoint, tolerance float64) {
	t.Helper()
	hold(t, loaded(t, ck), ck, tolerance)
}

func hold(t *testing.T, m *llama.Model, ck *checkpoint.Checkpoint, tolerance float64) {
	t.Helper()
	oracle, err := ref.NewFloat32(ck)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := m.Info(), oracle.Info(); got.Vocab != want.Vocab || got.Layers != want.Layers || got.Parameters != want.Parameters || got.Context != want.Context {
		t.Errorf("%+v, want %+v", got, want)
	}
	v := ck.Config.Vocab
	tokens := ids(1, 60, v)
	for _, layers := range []int{1, ck.Config.Layers} {
		first, err := m.FirstLayers(layers)
		if err != nil {
			t.Fatal(err)
		}
		firstRef, err := oracle.(model.LayerSkipper).FirstLayers(layers)
		if err != nil {
			t.Fatal(err)
		}
		want := rows(t, session(t, firstRef), tokens, len(tokens), v)
		for _, split := range []int{1, 4, len(tokens)} {
			s := session(t, first)
			var got [][]float32
			for at := 0; at < len(tokens); at += split {
				if _, err := s.Forward(ids(uint64(at), 3, v), 0); err != nil {
					t.Fatal(err)
				}
				if err := s.Trim(at); err != nil {
					t.Fatal(err)
				}
				some := tokens[at:min(at+split, len(tokens))]
				got = append(got, rows(t, s, some, len(some), v)...)
			}
			if d := apart(got, want); !(d <= tolerance) {
				t.Errorf("%d layers, %d tokens at a time: a logit is off by %.2g of the largest, want at most %g", layers, split, d, tolerance)
			} else {
				t.Logf("%d layers, %d at a time: %.2g", layers, split, d)
			}
		}
	}
}
