package checkpoint

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// The keys below a GGUF's architecture, held as those of config.json are: each is read,
// or must hold what is computed, or is known to change nothing; any other is refused by
// its name. Keys that do not begin with the architecture are of the tokenizer, the
// program that wrote the file, or of people.

var ggufRead = set(`
	context_length embedding_length block_count feed_forward_length attention.head_count attention.head_count_kv
	attention.key_length attention.value_length attention.layer_norm_rms_epsilon attention.sliding_window
	rope.dimension_count rope.freq_base rope.scale_linear rope.scaling.type rope.scaling.factor
	rope.scaling.attn_factor rope.scaling.original_context_length rope.scaling.yarn_beta_fast
	rope.scaling.yarn_beta_slow`)

// ggufHarmless has what llama.cpp's converters write beside those: sizes that the tensors
// have too, and remarks.
var ggufHarmless = set(`vocab_size rope.scaling.finetuned tensor_data_layout leading_dense_block_count`)

// ggufNeutral are keys that must hold one value. What llama.cpp reads for other families
// alone is refused where it says something.
var ggufNeutral = map[string]any{
	"expert_count": 0.0, "expert_used_count": 0.0, "attention.causal": true, "pooling_type": 0.0,
	"rope.scaling.yarn_log_multiplier": 0.0, "rope.scaling.yarn_ext_factor": 1.0, "rope.scaling.yarn_attn_factor": 1.0,
	"use_parallel_residual": false, "logit_scale": 1.0, "residual_scale": 1.0, "embedding_scale": 1.0,
	"attention.clamp_kqv": 0.0, "attention.max_alibi_bias": 0.0,
}

// known refuses keys of the architecture that are in none of the lists.
func (m *ggufMeta) known() {
	for _, key := range slices.Sorted(maps.Keys(m.kv)) {
		name, ok := strings.CutPrefix(key, m.arch+".")
		if !ok || ggufRead[name] || ggufHarmless[name] || m.err != nil {
			continue
		}
		if want, held := ggufNeutral[name]; !held {
			m.err = unsupported(m.file, key, short(m.kv[key]), "no such key: a "+m.arch+" model is not known to have it")
		} else if got := asNumber(m.kv[key]); got != want {
			m.err = unsupported(m.file, key, short(m.kv[key]), fmt.Sprint(want))
		}
	}
}

// short is a value for a message.
func short(v any) string { return fmt.Sprintf("%.40s", fmt.Sprint(v)) }

// asNumber makes integers floats.
func asNumber(v any) any {
	if n, ok := v.(int64); ok {
		return float64(n)
	}
	switch v.(type) {
	case float64, bool:
		return v
	}
	return nil // a list cannot be compared
}
