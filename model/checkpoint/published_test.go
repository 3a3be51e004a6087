package checkpoint_test

import (
	"testing"

	"foretoken/model/checkpoint"
)

// TestPublished reads configs with the keys that published models have: none of them may
// be refused.
func TestPublished(t *testing.T) {
	for name, test := range map[string]struct {
		json string
		want func(c checkpoint.Config) string
	}{
		"SmolLM2": {`"architectures": ["LlamaForCausalLM"], "attention_bias": false, "attention_dropout": 0.0, "bos_token_id": 1, "eos_token_id": 2,
			"hidden_act": "silu", "hidden_size": 576, "initializer_range": 0.041666666666666664, "intermediate_size": 1536, "is_llama_config": true,
			"max_position_embeddings": 8192, "mlp_bias": false, "model_type": "llama", "num_attention_heads": 9, "num_hidden_layers": 30,
			"num_key_value_heads": 3, "pad_token_id": 2, "pretraining_tp": 1, "rms_norm_eps": 1e-05, "rope_interleaved": false, "rope_scaling": null,
			"rope_theta": 100000, "tie_word_embeddings": true, "torch_dtype": "bfloat16", "transformers.js_config": {"kv_cache_dtype": {"q4f16": "float16"}},
			"transformers_version": "4.42.3", "use_cache": true, "vocab_size": 49152`,
			func(c checkpoint.Config) string { return differ(c.HeadDim, 64, c.RopeTheta, 1e5) }},
		"Llama 3.2": {`"architectures": ["LlamaForCausalLM"], "attention_bias": false, "attention_dropout": 0.0, "bos_token_id": 128000,
			"eos_token_id": [128001, 128008, 128009], "head_dim": 64, "hidden_act": "silu", "hidden_size": 2048, "initializer_range": 0.02,
			"intermediate_size": 8192, "max_position_embeddings": 131072, "mlp_bias": false, "model_type": "llama", "num_attention_heads": 32,
			"num_hidden_layers": 16, "num_key_value_heads": 8, "pretraining_tp": 1, "rms_norm_eps": 1e-05, "rope_scaling": {"factor": 32.0,
			"high_freq_factor": 4.0, "low_freq_factor": 1.0, "original_max_position_embeddings": 8192, "rope_type": "llama3"}, "rope_theta": 500000.0,
			"tie_word_embeddings": true, "torch_dtype": "bfloat16", "transformers_version": "4.45.0.dev0", "use_cache": true, "vocab_size": 128256,
			"unsloth_fixed": true`,
			func(c checkpoint.Config) string { return differ(c.RopeScaling.Factor, 32.0, len(c.EOS), 3) }},
		"Qwen2.5 with yarn": {`"architectures": ["Qwen2ForCausalLM"], "attention_dropout": 0.0, "bos_token_id": 151643, "eos_token_id": 151645,
			"hidden_act": "silu", "hidden_size": 896, "initializer_range": 0.02, "intermediate_size": 4864, "max_position_embeddings": 32768,
			"max_window_layers": 21, "model_type": "qwen2", "num_attention_heads": 14, "num_hidden_layers": 24, "num_key_value_heads": 2,
			"rms_norm_eps": 1e-06, "rope_theta": 1000000.0, "sliding_window": 32768, "tie_word_embeddings": true, "torch_dtype": "bfloat16",
			"transformers_version": "4.43.1", "use_cache": true, "use_sliding_window": false, "use_mrope": false, "vocab_size": 151936,
			"rope_scaling": {"factor": 4.0, "original_max_position_embeddings": 32768, "type": "yarn"}`,
			func(c checkpoint.Config) string {
				return differ(c.Context, 131072, c.SlidingWindow, 0, c.QKVBias, true)
			}},
		"Qwen3 of transformers 5": {`"architectures": ["Qwen3ForCausalLM"], "attention_bias": false, "attention_dropout": 0.0, "bos_token_id": null,
			"dtype": "bfloat16", "eos_token_id": 151645, "head_dim": 128, "hidden_act": "silu", "hidden_size": 256, "initializer_range": 0.02,
			"intermediate_size": 3072, "layer_types": ["full_attention", "full_attention"], "max_position_embeddings": 40960, "max_window_layers": 28,
			"model_type": "qwen3", "num_attention_heads": 16, "num_hidden_layers": 2, "num_key_value_heads": 8, "pad_token_id": null,
			"rms_norm_eps": 1e-06, "rope_parameters": {"rope_theta": 1000000, "rope_type": "default"}, "sliding_window": null,
			"tie_word_embeddings": true, "transformers_version": "5.0.0", "use_cache": true, "use_sliding_window": false, "vocab_size": 151936`,
			func(c checkpoint.Config) string { return differ(c.QKNorm, true, c.RopeTheta, 1e6, c.BOS, -1) }},
		"Mistral 7B v0.1": {`"architectures": ["MistralForCausalLM"], "bos_token_id": 1, "eos_token_id": 2, "hidden_act": "silu", "hidden_size": 4096,
			"initializer_range": 0.02, "intermediate_size": 14336, "max_position_embeddings": 32768, "model_type": "mistral", "num_attention_heads": 32,
			"num_hidden_layers": 32, "num_key_value_heads": 8, "rms_norm_eps": 1e-05, "rope_theta": 10000.0, "sliding_window": 4096,
			"tie_word_embeddings": false, "torch_dtype": "bfloat16", "transformers_version": "4.34.0.dev0", "use_cache": true, "vocab_size": 32000`,
			func(c checkpoint.Config) string { return differ(c.SlidingWindow, 4096, c.HeadDim, 128) }},
		"Vicuna": {`"_name_or_path": "vicuna", "architectures": ["LlamaForCausalLM"], "bos_token_id": 1, "eos_token_id": 2, "hidden_act": "silu",
			"hidden_size": 4096, "initializer_range": 0.02, "intermediate_size": 11008, "max_position_embeddings": 4096, "max_sequence_length": 16384,
			"model_type": "llama", "num_attention_heads": 32, "num_hidden_layers": 32, "num_key_value_heads": 32, "pad_token_id": 0, "pretraining_tp": 1,
			"rms_norm_eps": 1e-05, "rope_scaling": {"factor": 4.0, "type": "linear"}, "tie_word_embeddings": false, "torch_dtype": "float16",
			"transformers_version": "4.31.0", "use_cache": true, "vocab_size": 32000`,
			func(c checkpoint.Config) string { return differ(c.RopeScaling.Type, "linear") }},
	} {
		c, err := checkpoint.ReadConfig([]byte("{"+test.json+"}"), nil)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if d := test.want(c); d != "" {
			t.Errorf("%s: %s", name, d)
		}
	}
}
