package checkpoint

import (
	"strconv"
	"strings"
)

// GGUF's names of tensors and ours.
var (
	ggufNames = map[string]string{
		"token_embd.weight":  "model.embed_tokens.weight",
		"output_norm.weight": "model.norm.weight",
		"output.weight":      "lm_head.weight",
	}
	ggufLayerNames = map[string]string{
		"attn_norm":   "input_layernorm",
		"attn_q":      "self_attn.q_proj",
		"attn_k":      "self_attn.k_proj",
		"attn_v":      "self_attn.v_proj",
		"attn_output": "self_attn.o_proj",
		"attn_q_norm": "self_attn.q_norm",
		"attn_k_norm": "self_attn.k_norm",
		"ffn_norm":    "post_attention_layernorm",
		"ffn_gate":    "mlp.gate_proj",
		"ffn_up":      "mlp.up_proj",
		"ffn_down":    "mlp.down_proj",
	}
)

// fromGGUF is our name of a tensor; one that no architecture of ours has keeps
// its own, and is refused with it.
func fromGGUF(name string) string {
	if n, ok := ggufNames[name]; ok {
		return n
	}
	parts := strings.Split(name, ".")
	if len(parts) != 4 || parts[0] != "blk" || parts[3] != "weight" && parts[3] != "bias" {
		return name
	}
	n, ok := ggufLayerNames[parts[2]]
	if i, err := strconv.Atoi(parts[1]); !ok || err != nil || strconv.Itoa(i) != parts[1] {
		return name
	}
	return "model.layers." + parts[1] + "." + n + "." + parts[3]
}

// placeGGUF gives ck the tensors, but for the tables of rope, which are a part of the
// config.
func (ck *Checkpoint) placeGGUF(path string, entries []entry, data []byte) error {
	for _, e := range entries {
		switch e.name {
		case ropeFactors, ropeShort, ropeLong:
			if err := ck.ropeTable(path, e, data); err != nil {
				return err
			}
		default:
			if err := ck.add(path, fromGGUF(e.name), e, data); err != nil {
				return err
			}
		}
	}
	return nil
}

// unpermute brings the rows of every q and k into the order of rotate-half rope.
// GGUF's llama architecture rotates neighbouring pairs, so its converter put the
// two halves of each head alternately: row 2i+j of a head is row j*HeadDim/2+i of
// ours. Rows move whole, so quantised ones stay as they are.
func (ck *Checkpoint) unpermute() {
	for name, t := range ck.Tensors {
		if !strings.Contains(name, ".self_attn.q_proj.") && !strings.Contains(name, ".self_attn.k_proj.") {
			continue
		}
		row := len(t.Data) / t.Shape[0] // of a bias: one element
		half := ck.Config.HeadDim / 2
		data := make([]byte, len(t.Data))
		for from := range t.Shape[0] {
			head, at := from/(2*half), from%(2*half)
			to := head*2*half + at%2*half + at/2
			copy(data[to*row:(to+1)*row], t.Data[from*row:])
		}
		t.Data = data
		ck.Tensors[name] = t
	}
}
