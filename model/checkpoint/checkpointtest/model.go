// Package checkpointtest makes small random models of every architecture and
// writes them as safetensors, sharded safetensors and GGUF, for the tests of the
// reader and of the backends. It also writes files that are wrong in one place.
package checkpointtest

import (
	"math"
	"math/rand/v2"
	"strings"

	"foretoken/model"
	"foretoken/model/checkpoint"
)

// A Tensor has its values in our layout, row-major.
type Tensor struct {
	Name   string
	Shape  []int
	Values []float32
}

// A Model is a checkpoint before it is written.
type Model struct {
	Config  checkpoint.Config
	Tensors []Tensor // in the order of Config.Shapes

	// Meta is added to a GGUF's metadata, Files to a folder: a tokenizer's.
	Meta  []KV
	Files map[string][]byte
}

// Small is a config of an architecture: 2 layers, 4 query heads on 2 key/value
// heads, with every feature that the architecture has on. Qwen3's heads are wider
// than the hidden size divided by them.
func Small(arch string) checkpoint.Config {
	c := checkpoint.Config{
		Name: "small-" + arch, Architecture: arch, Hidden: 32, Layers: 2, Heads: 4, KVHeads: 2, HeadDim: 8,
		Intermediate: 64, Vocab: 64, Context: 128, NormEps: 1e-5, RopeTheta: 10000, TiedHead: true,
		EOS: []model.Token{2}, BOS: 1,
	}
	switch arch {
	case "llama":
		c.TiedHead = false
	case "mistral":
		c.TiedHead = false
		c.SlidingWindow = 16
	case "qwen2":
		c.QKVBias = true
	case "qwen3":
		c.QKNorm = true
		c.HeadDim = 16
	default:
		panic("checkpointtest: architecture " + arch)
	}
	return c
}

// Wide is c with rows of 256, for the K-quants' blocks.
func Wide(c checkpoint.Config) checkpoint.Config {
	c.Hidden, c.Intermediate = 256, 256
	c.HeadDim = 256 / c.Heads
	return c
}

// New draws a model of config c: matrices normal with deviation 1/sqrt(columns),
// norms near 1, biases near 0. The same seed gives the same model.
func New(c checkpoint.Config, seed uint64) *Model {
	m := &Model{Config: c}
	rng := rand.New(rand.NewPCG(seed, 0))
	for name, shape := range c.Shapes() {
		t := Tensor{Name: name, Shape: shape}
		n, mean, deviation := 1, 0.0, 1/math.Sqrt(float64(shape[len(shape)-1]))
		for _, s := range shape {
			n *= s
		}
		switch {
		case strings.HasSuffix(name, "norm.weight"):
			mean, deviation = 1, 0.1
		case strings.HasSuffix(name, ".bias"):
			deviation = 0.1
		case name == "model.embed_tokens.weight":
			deviation = 1
		}
		t.Values = make([]float32, n)
		for i := range t.Values {
			t.Values[i] = float32(mean + deviation*rng.NormFloat64())
		}
		m.Tensors = append(m.Tensors, t)
	}
	return m
}

// Tensor is the tensor called name; a name that is not there panics.
func (m *Model) Tensor(name string) *Tensor {
	for i := range m.Tensors {
		if m.Tensors[i].Name == name {
			return &m.Tensors[i]
		}
	}
	panic("checkpointtest: no tensor " + name)
}
