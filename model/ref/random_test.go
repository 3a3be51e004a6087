package ref

import (
	"encoding/binary"
	"math"
	"math/rand/v2"

	"foretoken/model/checkpoint"
)

// families are tiny models of every kind that is read.
var families = map[string]checkpoint.Config{
	"llama tied":     tiny(func(c *checkpoint.Config) { c.TiedHead = true }),
	"llama":          tiny(func(c *checkpoint.Config) {}),
	"llama biases":   tiny(func(c *checkpoint.Config) { c.QKVBias, c.OutputBias = true, true }),
	"llama3 rope":    tiny(func(c *checkpoint.Config) { c.RopeScaling = &llama3 }),
	"linear rope":    tiny(func(c *checkpoint.Config) { c.RopeScaling = &checkpoint.RopeScaling{Type: "linear", Factor: 4} }),
	"mistral":        tiny(func(c *checkpoint.Config) { c.Architecture, c.SlidingWindow = "mistral", 7 }),
	"qwen2":          tiny(func(c *checkpoint.Config) { c.Architecture, c.QKVBias, c.TiedHead = "qwen2", true, true }),
	"qwen3":          tiny(func(c *checkpoint.Config) { c.Architecture, c.QKNorm = "qwen3", true }),
	"uneven":         tiny(func(c *checkpoint.Config) { c.Hidden, c.Vocab, c.Intermediate, c.HeadDim = 37, 51, 41, 6 }),
	"wide heads":     tiny(func(c *checkpoint.Config) { c.HeadDim, c.Heads, c.KVHeads = 72, 2, 1 }),
	"a head a group": tiny(func(c *checkpoint.Config) { c.KVHeads = c.Heads }),
}

var llama3 = checkpoint.RopeScaling{Type: "llama3", Factor: 8, LowFreqFactor: 1, HighFreqFactor: 4, OriginalContext: 64}

func tiny(with func(*checkpoint.Config)) checkpoint.Config {
	c := checkpoint.Config{Name: "tiny", Architecture: "llama", Hidden: 48, Layers: 3, Heads: 6, KVHeads: 2, HeadDim: 8,
		Intermediate: 80, Vocab: 600, Context: 150, NormEps: 1e-5, RopeTheta: 10000, BOS: -1}
	with(&c)
	return c
}

// random makes a checkpoint of c in memory. Weights keep the stream's size, so
// that every layer counts.
func random(c checkpoint.Config, seed uint64) *checkpoint.Checkpoint {
	r := rand.New(rand.NewPCG(seed, 5))
	ck := &checkpoint.Checkpoint{Path: "random", Config: c, Tensors: map[string]checkpoint.Tensor{}}
	add := func(name string, mean, spread float64, shape ...int) {
		n := 1
		for _, s := range shape {
			n *= s
		}
		var b []byte
		for range n {
			b = binary.LittleEndian.AppendUint32(b, math.Float32bits(float32(mean+spread*r.NormFloat64())))
		}
		ck.Tensors[name] = checkpoint.Tensor{Name: name, Type: checkpoint.F32, Shape: shape, Data: b}
	}
	q, kv := c.Heads*c.HeadDim, c.KVHeads*c.HeadDim
	square := func(n int) float64 { return 1.5 / math.Sqrt(float64(n)) }
	add("model.embed_tokens.weight", 0, 1, c.Vocab, c.Hidden)
	for i := range c.Layers {
		p := layerName(i)
		add(p+"input_layernorm.weight", 1, .1, c.Hidden)
		add(p+"self_attn.q_proj.weight", 0, square(c.Hidden), q, c.Hidden)
		add(p+"self_attn.k_proj.weight", 0, square(c.Hidden), kv, c.Hidden)
		add(p+"self_attn.v_proj.weight", 0, square(c.Hidden), kv, c.Hidden)
		add(p+"self_attn.o_proj.weight", 0, square(q), c.Hidden, q)
		if c.QKVBias {
			add(p+"self_attn.q_proj.bias", 0, 1, q)
			add(p+"self_attn.k_proj.bias", 0, 1, kv)
			add(p+"self_attn.v_proj.bias", 0, 1, kv)
		}
		if c.OutputBias {
			add(p+"self_attn.o_proj.bias", 0, 1, c.Hidden)
		}
		if c.QKNorm {
			add(p+"self_attn.q_norm.weight", 1, .3, c.HeadDim)
			add(p+"self_attn.k_norm.weight", 1, .3, c.HeadDim)
		}
		add(p+"post_attention_layernorm.weight", 1, .1, c.Hidden)
		add(p+"mlp.gate_proj.weight", 0, square(c.Hidden), c.Intermediate, c.Hidden)
		add(p+"mlp.up_proj.weight", 0, square(c.Hidden), c.Intermediate, c.Hidden)
		add(p+"mlp.down_proj.weight", 0, square(c.Intermediate), c.Hidden, c.Intermediate)
	}
	add("model.norm.weight", 1, .1, c.Hidden)
	if !c.TiedHead {
		add("lm_head.weight", 0, square(c.Hidden), c.Vocab, c.Hidden)
	}
	return ck
}
