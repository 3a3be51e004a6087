package checkpoint

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
)

// The keys of config.json, so that none changes the mathematics without a word: a key
// is read, or must hold what is computed, or is known to change nothing; any other is
// refused by its name. They are those of transformers' config classes, of the
// versions from 4.28 to 5.24, and of what is found in published models. A null says
// nothing, wherever transformers has a value of its own for it.

// readKeys are read for every family, and readAlso for one.
var readKeys = []string{
	"architectures", "model_type", "hidden_size", "num_hidden_layers", "num_attention_heads", "num_key_value_heads",
	"head_dim", "intermediate_size", "vocab_size", "max_position_embeddings", "rms_norm_eps", "rope_theta", "rope_scaling",
	"rope_parameters", "original_max_position_embeddings", "tie_word_embeddings", "quantization", "quantization_config",
	"eos_token_id", "bos_token_id",
}

var readAlso = map[string][]string{
	"llama":   {"attention_bias"},
	"mistral": {"sliding_window", "layer_types"},
	"qwen2":   {"sliding_window", "layer_types", "use_sliding_window", "max_window_layers"},
	"qwen3":   {"attention_bias", "sliding_window", "layer_types", "use_sliding_window", "max_window_layers"},
}

// neutral are keys that must hold one of some values: what is computed.
var neutral = map[string][]any{
	"hidden_act":              {"silu", "swish"},
	"mlp_bias":                {false},
	"partial_rotary_factor":   {1.0},
	"rope_interleaved":        {false},
	"use_mrope":               {false},
	"use_qk_norm":             {false},
	"is_encoder_decoder":      {false},
	"add_cross_attention":     {false},
	"pruned_heads":            {map[string]any{}},
	"per_layer_config":        {map[string]any{}},
	"chunk_size_feed_forward": {0.0},
	"hidden_dropout":          {0.0},
}

// neutralAlso are those of a family that transformers leaves unread there, and that
// other families, or other programs, would compute.
var neutralAlso = map[string]map[string][]any{
	"llama":   {"use_sliding_window": {false}},
	"mistral": {"attention_bias": {false}, "use_sliding_window": {false}},
	"qwen2":   {"attention_bias": {true, false}},
}

// harmless are keys of training, of generation and of the program that wrote the file.
var harmless = set(`
	_attn_implementation _attn_implementation_autoset _attn_implementation_internal _commit_hash
	_experts_implementation_internal _flash_attn_2_enabled _name_or_path attention_dropout attn_implementation
	attn_pdrop bad_words_ids begin_suppress_tokens classifier_dropout cls_token_id cross_attention_hidden_size
	decoder_start_token_id diversity_penalty do_sample dtype early_stopping embd_pdrop
	encoder_no_repeat_ngram_size exponential_decay_length_penalty experts_implementation finetuning_task
	forced_bos_token_id forced_eos_token_id gradient_checkpointing id2label initializer_range is_decoder
	is_llama_config label2id length_penalty mask_token_id max_length max_sequence_length min_length
	model_max_length name_or_path no_repeat_ngram_size num_beam_groups num_beams num_labels
	num_return_sequences output_attentions output_hidden_states output_scores pad_token_id prefix pretraining_tp
	problem_type remove_invalid_values repetition_penalty resid_pdrop return_dict return_dict_in_generate
	sep_token_id suppress_tokens task_specific_params temperature tf_legacy_loss tie_encoder_decoder
	tie_last_hidden_states tokenizer_class top_k top_p torch_dtype torchscript transformers.js_config
	transformers_version typical_p unk_token_id unsloth_fixed unsloth_version use_bfloat16 use_cache
	use_flash_attn use_return_dict`)

func set(words string) map[string]bool {
	m := map[string]bool{}
	for _, w := range strings.Fields(words) {
		m[w] = true
	}
	return m
}

// known refuses the keys of a model's config that are in none of the lists.
func (f *fields) known(arch string) error {
	for _, key := range slices.Sorted(maps.Keys(f.kv)) {
		_, held := neutral[key]
		switch {
		case f.says(key) == nil, held, harmless[key], slices.Contains(readKeys, key), slices.Contains(readAlso[arch], key):
		case neutralAlso[arch][key] != nil:
			if err := f.holds(key, neutralAlso[arch][key]); err != nil {
				return err
			}
		default:
			return unsupported(f.file, key, fmt.Sprintf("%.40s", f.kv[key]), "no such key: a "+arch+" model is not known to have it")
		}
	}
	return f.neutral()
}

// neutral refuses keys that say other than what is computed, whatever the model is.
func (f *fields) neutral() error {
	for _, key := range slices.Sorted(maps.Keys(neutral)) {
		if f.says(key) == nil {
			continue
		}
		if err := f.holds(key, neutral[key]); err != nil {
			return err
		}
	}
	return nil
}

// says is the value of a key, nil where it is absent or null.
func (f *fields) says(key string) (v any) {
	if raw, ok := f.kv[key]; ok {
		_ = json.Unmarshal(raw, &v) // the file was parsed: raw is JSON
	}
	return v
}

// holds refuses a key whose value is none of some.
func (f *fields) holds(key string, values []any) error {
	got := f.says(key)
	if slices.ContainsFunc(values, func(v any) bool { return reflect.DeepEqual(got, v) }) {
		return nil
	}
	var want []string
	for _, v := range values {
		b, _ := json.Marshal(v) // of values of this file
		want = append(want, string(b))
	}
	return unsupported(f.file, key, fmt.Sprintf("%.40s", f.kv[key]), strings.Join(want, " or "))
}
