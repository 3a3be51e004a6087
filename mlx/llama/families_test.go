//go:build mlx

package llama_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"foretoken/mlx"
	"foretoken/mlx/llama"
	"foretoken/mlx/mlxtest"
	"foretoken/model"
	"foretoken/model/checkpoint"
	"foretoken/model/checkpoint/checkpointtest"
)

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
