package checkpoint

import (
	"fmt"
	"slices"
)

// want calls f for every tensor that a model of this config consists of, with its
// shape, in the order of the forward pass, until f fails.
func (c Config) want(f func(name string, shape ...int) error) error {
	q, kv := c.Heads*c.HeadDim, c.KVHeads*c.HeadDim
	type tensor struct {
		name  string
		on    bool
		shape []int
	}
	layer := []tensor{
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
	if err := f("model.embed_tokens.weight", c.Vocab, c.Hidden); err != nil {
		return err
	}
	for i := range c.Layers {
		for _, t := range layer {
			if !t.on {
				continue
			}
			if err := f(fmt.Sprintf("model.layers.%d.%s", i, t.name), t.shape...); err != nil {
				return err
			}
		}
	}
	if err := f("model.norm.weight", c.Hidden); err != nil {
		return err
	}
	if c.TiedHead {
		return nil
	}
	return f("lm_head.weight", c.Vocab, c.Hidden)
}

// hold compares the tensors with the config: each one there, in its shape, and no
// other, since a tensor that the config does not ask for would be silently left
// out of the computation.
func (ck *Checkpoint) hold() error {
	known := make(map[string]bool, len(ck.Tensors))
	err := ck.Config.want(func(name string, shape ...int) error {
		t, ok := ck.Tensors[name]
		if !ok {
			why := ""
			if name == "lm_head.weight" {
				why = " (the head is not tied to the embedding)"
			}
			return missing(ck.Path, name, fmt.Sprintf("shape %v%s", shape, why))
		}
		if !slices.Equal(t.Shape, shape) {
			return mismatch(ck.Path, name, fmt.Sprintf("%v, from the config", shape), "shape %v", t.Shape)
		}
		known[name] = true
		return nil
	})
	if err != nil {
		return err
	}
	for name, t := range ck.Tensors {
		if !known[name] {
			return unsupported(ck.Path, name, fmt.Sprintf("a tensor of shape %v", t.Shape), "only those of a "+ck.Config.Architecture+" model of this config")
		}
	}
	return nil
}
