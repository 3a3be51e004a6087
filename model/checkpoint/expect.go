package checkpoint

import (
	"fmt"
	"iter"
	"slices"
)

// Shapes yields the name and the shape of every tensor that a model of this config
// consists of, in the order of the forward pass.
func (c Config) Shapes() iter.Seq2[string, []int] {
	return func(yield func(string, []int) bool) {
		layer := c.layer()
		if !yield("model.embed_tokens.weight", []int{c.Vocab, c.Hidden}) {
			return
		}
		for i := range c.Layers {
			for _, t := range layer {
				if t.on && !yield(fmt.Sprintf("model.layers.%d.%s", i, t.name), t.shape) {
					return
				}
			}
		}
		if yield("model.norm.weight", []int{c.Hidden}) && !c.TiedHead {
			yield("lm_head.weight", []int{c.Vocab, c.Hidden})
		}
	}
}

// A part is a tensor that the layers have where on is true.
type part struct {
	name  string
	on    bool
	shape []int
}

func (c Config) layer() []part {
	q, kv := c.Heads*c.HeadDim, c.KVHeads*c.HeadDim
	return []part{
		{"input_layernorm.weight", true, []int{c.Hidden}},
		{"self_attn.q_proj.weight", true, []int{q, c.Hidden}},
		{"self_attn.k_proj.weight", true, []int{kv, c.Hidden}},
		{"self_attn.v_proj.weight", true, []int{kv, c.Hidden}},
		{"self_attn.o_proj.weight", true, []int{c.Hidden, q}},
		{"self_attn.q_proj.bias", c.QKVBias, []int{q}},
		{"self_attn.k_proj.bias", c.QKVBias, []int{kv}},
		{"self_attn.v_proj.bias", c.QKVBias, []int{kv}},
		{"self_attn.o_proj.bias", c.OutputBias, []int{c.Hidden}},
		{"self_attn.q_norm.weight", c.QKNorm, []int{c.HeadDim}},
		{"self_attn.k_norm.weight", c.QKNorm, []int{c.HeadDim}},
		{"post_attention_layernorm.weight", true, []int{c.Hidden}},
		{"mlp.gate_proj.weight", true, []int{c.Intermediate, c.Hidden}},
		{"mlp.up_proj.weight", true, []int{c.Intermediate, c.Hidden}},
		{"mlp.down_proj.weight", true, []int{c.Hidden, c.Intermediate}},
	}
}

// hold compares the tensors with what the config asks for: each one there, in its shape, and no
// other, since a tensor that the config does not ask for would be silently left
// out of the computation.
func (ck *Checkpoint) hold(shapes iter.Seq2[string, []int]) error {
	known := make(map[string]bool, len(ck.Tensors))
	for name, shape := range shapes {
		t, ok := ck.Tensors[name]
		switch {
		case !ok && name == "lm_head.weight" && ck.Config.Architecture != headType:
			return missing(ck.Path, name, fmt.Sprintf("shape %v: the head is not tied to the embedding", shape))
		case !ok:
			return missing(ck.Path, name, fmt.Sprintf("shape %v", shape))
		case !slices.Equal(t.Shape, shape):
			return mismatch(ck.Path, name, fmt.Sprintf("%v, from the config", shape), "shape %v", t.Shape)
		}
		known[name] = true
	}
	for name, t := range ck.Tensors {
		if !known[name] {
			return unsupported(ck.Path, name, fmt.Sprintf("a tensor of shape %v", t.Shape), "only those of a "+ck.Config.Architecture+" model of this config")
		}
	}
	return nil
}
