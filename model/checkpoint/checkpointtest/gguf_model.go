package checkpointtest

import (
	"math"
	"os"
	"strings"

	"foretoken/model/checkpoint"
)

var ggufNames = strings.NewReplacer(
	"model.embed_tokens", "token_embd", "model.norm", "output_norm", "lm_head", "output", "model.layers.", "blk.",
	"input_layernorm", "attn_norm", "post_attention_layernorm", "ffn_norm", "self_attn.q_proj", "attn_q",
	"self_attn.k_proj", "attn_k", "self_attn.v_proj", "attn_v", "self_attn.o_proj", "attn_output",
	"self_attn.q_norm", "attn_q_norm", "self_attn.k_norm", "attn_k_norm", "mlp.gate_proj", "ffn_gate",
	"mlp.up_proj", "ffn_up", "mlp.down_proj", "ffn_down",
)

// GGUFName is a GGUF's name of one of our tensors.
func GGUFName(name string) string { return ggufNames.Replace(name) }

// WriteGGUF writes m with its matrices as d and its vectors as F32. Mistral is
// written as llama, as converters do.
func (m *Model) WriteGGUF(path string, d checkpoint.DType) error {
	return os.WriteFile(path, m.GGUF(d).Bytes(), 0o644)
}

// GGUF is the file that WriteGGUF writes.
func (m *Model) GGUF(d checkpoint.DType) *GGUF {
	c := m.Config
	arch := c.Architecture
	if arch == "mistral" {
		arch = "llama"
	}
	f := &GGUF{Version: 3, Alignment: 32}
	set := func(key string, v any) { f.Meta = append(f.Meta, KV{key, v}) }
	set("general.architecture", arch)
	set("general.name", c.Name)
	for _, kv := range []struct {
		key string
		v   int
	}{
		{"embedding_length", c.Hidden}, {"block_count", c.Layers}, {"feed_forward_length", c.Intermediate},
		{"context_length", c.Context}, {"attention.head_count", c.Heads}, {"attention.head_count_kv", c.KVHeads},
		{"attention.key_length", c.HeadDim}, {"attention.value_length", c.HeadDim}, {"rope.dimension_count", c.HeadDim},
	} {
		set(arch+"."+kv.key, uint32(kv.v))
	}
	if c.SlidingWindow > 0 {
		set(arch+".attention.sliding_window", uint32(c.SlidingWindow))
	}
	set(arch+".attention.layer_norm_rms_epsilon", c.NormEps)
	set(arch+".rope.freq_base", float32(c.RopeTheta))
	for i, key := range []string{"eos", "eot", "eom"} {
		if i < len(c.EOS) {
			set("tokenizer.ggml."+key+"_token_id", uint32(c.EOS[i]))
		}
	}
	if c.BOS >= 0 {
		set("tokenizer.ggml.bos_token_id", uint32(c.BOS))
	}
	m.ropeScaling(f, arch)
	f.Meta = append(f.Meta, m.Meta...)
	for _, t := range m.Tensors {
		typ, values := checkpoint.F32, t.Values
		if len(t.Shape) == 2 {
			typ = d
		}
		if arch == "llama" {
			values = permuted(t, c.HeadDim)
		}
		f.Add(GGUFName(t.Name), typ.GGUFType(), t.Shape, Encode(typ, values))
	}
	return f
}

// ropeScaling writes linear scaling as metadata and llama3's as the table of
// factors that it comes to.
func (m *Model) ropeScaling(f *GGUF, arch string) {
	s := m.Config.RopeScaling
	switch {
	case s == nil:
	case s.Type == "linear":
		f.Meta = append(f.Meta, KV{arch + ".rope.scaling.type", "linear"}, KV{arch + ".rope.scaling.factor", float32(s.Factor)})
	default:
		var factors []float32
		for i, scaled := range m.Config.RopeFrequencies(1) {
			base := math.Pow(m.Config.RopeTheta, -2*float64(i)/float64(m.Config.HeadDim))
			factors = append(factors, float32(base/scaled))
		}
		f.Add("rope_freqs.weight", checkpoint.F32.GGUFType(), []int{len(factors)}, Encode(checkpoint.F32, factors))
	}
}

// permuted has the rows of q and k in the order of GGUF's llama architecture: the
// two halves of a head alternately.
func permuted(t Tensor, headDim int) []float32 {
	if !strings.Contains(t.Name, "q_proj") && !strings.Contains(t.Name, "k_proj") {
		return t.Values
	}
	row := len(t.Values) / t.Shape[0]
	var out []float32
	for head := 0; head < t.Shape[0]; head += headDim {
		for i := range headDim / 2 {
			for _, r := range []int{head + i, head + headDim/2 + i} {
				out = append(out, t.Values[r*row:(r+1)*row]...)
			}
		}
	}
	return out
}
