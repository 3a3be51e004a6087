package checkpointtest

import (
	"encoding/binary"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"

	"foretoken/model"
	"foretoken/model/checkpoint"
)

// A Head is an EAGLE-3 head before it is written.
type Head struct {
	Config  map[string]any // config.json
	Tensors []Tensor
	Words   []model.Token
}

// NewHead draws a head over states of some layers of a target of config c, whose
// every third word it has. Its own layer has c's sizes.
func NewHead(c checkpoint.Config, taps []int, seed uint64) *Head {
	h := &Head{}
	for id := 1; id < c.Vocab; id += 3 {
		h.Words = append(h.Words, model.Token(id))
	}
	h.Config = map[string]any{"model_type": "eagle3", "target": c.Name, "taps": taps, "hidden_size": c.Hidden,
		"intermediate_size": c.Intermediate, "num_attention_heads": c.Heads, "num_key_value_heads": c.KVHeads, "head_dim": c.HeadDim,
		"rms_norm_eps": c.NormEps, "rope_theta": c.RopeTheta, "vocab_size": c.Vocab, "draft_vocab_size": len(h.Words)}
	rng := rand.New(rand.NewPCG(seed, 1))
	add := func(name string, shape ...int) {
		t := Tensor{Name: name + ".weight", Shape: shape, Values: make([]float32, shape[0])}
		mean, deviation := 1.0, .1
		if len(shape) == 2 {
			t.Values = make([]float32, shape[0]*shape[1])
			mean, deviation = 0, 1.5/math.Sqrt(float64(shape[1]))
		}
		for i := range t.Values {
			t.Values[i] = float32(mean + deviation*rng.NormFloat64())
		}
		h.Tensors = append(h.Tensors, t)
	}
	q, kv := c.Heads*c.HeadDim, c.KVHeads*c.HeadDim
	add("fc", c.Hidden, len(taps)*c.Hidden)
	add("layer.input_layernorm", c.Hidden)
	add("layer.hidden_norm", c.Hidden)
	add("layer.self_attn.q_proj", q, 2*c.Hidden)
	add("layer.self_attn.k_proj", kv, 2*c.Hidden)
	add("layer.self_attn.v_proj", kv, 2*c.Hidden)
	add("layer.self_attn.o_proj", c.Hidden, q)
	add("layer.post_attention_layernorm", c.Hidden)
	add("layer.mlp.gate_proj", c.Intermediate, c.Hidden)
	add("layer.mlp.up_proj", c.Intermediate, c.Hidden)
	add("layer.mlp.down_proj", c.Hidden, c.Intermediate)
	add("norm", c.Hidden)
	add("lm_head", len(h.Words), c.Hidden)
	return h
}

// Files is the head's folder, its weights as d: see Model.WriteFolder. As Q4_1 all
// its matrices are in groups of 4 bits.
func (h *Head) Files(d checkpoint.DType) map[string][]byte {
	if d == checkpoint.Q8_0 || d == checkpoint.Q4_1 {
		h.Config["quantization"] = Groups
	}
	var f Safetensors
	for _, t := range h.Tensors {
		f.AddValues(d, t)
	}
	var words []byte
	for _, id := range h.Words {
		words = binary.LittleEndian.AppendUint32(words, uint32(id))
	}
	f.Add("words", "I32", []int{len(h.Words)}, words)
	return map[string][]byte{"config.json": encode(h.Config), "model.safetensors": f.Bytes()}
}

// Write writes Files into a folder.
func (h *Head) Write(dir string, d checkpoint.DType) error {
	for name, b := range h.Files(d) {
		if err := os.WriteFile(filepath.Join(dir, name), b, 0o644); err != nil {
			return err
		}
	}
	return nil
}
