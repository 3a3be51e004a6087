package checkpoint_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"foretoken/model/checkpoint"
)

// TestConfig reads config.json as the models' publishers write it: the fields that
// differ from what transformers leaves out.
func TestConfig(t *testing.T) {
	const common = `"hidden_size": 64, "num_hidden_layers": 4, "num_attention_heads": 8, "intermediate_size": 96, "vocab_size": 100, "max_position_embeddings": 8192`
	for name, test := range map[string]struct {
		json string
		want func(c checkpoint.Config) string // what differs, "" is right
		kind error
	}{
		"defaults": {`"model_type": "llama"`, func(c checkpoint.Config) string {
			return differ(c.KVHeads, 8, c.HeadDim, 8, c.RopeTheta, 1e4, c.NormEps, float32(1e-6), c.SlidingWindow, 0, c.BOS, -1, c.QKVBias, false, len(c.EOS), 0)
		}, nil},
		"class name": {`"architectures": ["Qwen2ForCausalLM"], "num_key_value_heads": null`, func(c checkpoint.Config) string {
			return differ(c.Architecture, "qwen2", c.QKVBias, true, c.OutputBias, false)
		}, nil},
		"nulls":          {`"model_type": "llama", "head_dim": null, "rope_scaling": null, "num_key_value_heads": null, "bos_token_id": null, "eos_token_id": null`, func(c checkpoint.Config) string { return differ(c.HeadDim, 8, c.KVHeads, 8, c.BOS, -1) }, nil},
		"attention bias": {`"model_type": "llama", "attention_bias": true`, func(c checkpoint.Config) string { return differ(c.QKVBias, true, c.OutputBias, true) }, nil},
		"qwen3": {`"model_type": "qwen3", "num_key_value_heads": 8, "head_dim": 16, "attention_bias": false, "rope_theta": 1000000`, func(c checkpoint.Config) string {
			return differ(c.QKNorm, true, c.HeadDim, 16, c.QKVBias, false, c.RopeTheta, 1e6)
		}, nil},
		"qwen3's head":    {`"model_type": "qwen3", "num_key_value_heads": 8`, func(c checkpoint.Config) string { return differ(c.HeadDim, 128) }, nil},
		"rope parameters": {`"model_type": "qwen3", "num_key_value_heads": 8, "rope_parameters": {"rope_theta": 5000, "rope_type": "default"}`, func(c checkpoint.Config) string { return differ(c.RopeTheta, 5e3, c.RopeScaling == nil, true) }, nil},
		"llama3": {`"model_type": "llama", "rope_scaling": {"factor": 8.0, "low_freq_factor": 1.0, "high_freq_factor": 4.0, "original_max_position_embeddings": 4096, "rope_type": "llama3"}`, func(c checkpoint.Config) string {
			return differ(c.RopeScaling.Type, "llama3", c.RopeScaling.OriginalContext, 4096, c.RopeScaling.HighFreqFactor, 4.0)
		}, nil},
		"old linear": {`"model_type": "llama", "rope_scaling": {"type": "linear", "factor": 2}`, func(c checkpoint.Config) string {
			return differ(c.RopeScaling.Type, "linear", c.RopeScaling.Factor, 2.0)
		}, nil},
		"dynamic": {`"model_type": "llama", "rope_scaling": {"type": "dynamic", "factor": 2}`, func(c checkpoint.Config) string {
			return differ(c.RopeScaling.Type, "dynamic", c.RopeScaling.OriginalContext, 8192, c.Context, 16384)
		}, nil},
		"scaling, then parameters": {`"model_type": "llama", "rope_theta": 7, "rope_parameters": {"rope_theta": 5, "rope_type": "linear", "factor": 3}, "rope_scaling": {"type": "linear", "factor": 2}`, func(c checkpoint.Config) string {
			return differ(c.RopeScaling.Factor, 2.0, c.RopeTheta, 7.0)
		}, nil},
		"empty scaling": {`"model_type": "llama", "rope_parameters": {"rope_theta": 5, "rope_type": "linear", "factor": 3}, "rope_scaling": {}`, func(c checkpoint.Config) string {
			return differ(c.RopeScaling.Factor, 3.0, c.RopeTheta, 5.0)
		}, nil},
		"original beside": {`"model_type": "llama", "original_max_position_embeddings": 100, "rope_scaling": {"factor": 8.0, "low_freq_factor": 1.0, "high_freq_factor": 4.0, "original_max_position_embeddings": 4096, "rope_type": "llama3"}`, func(c checkpoint.Config) string {
			return differ(c.RopeScaling.OriginalContext, 100)
		}, nil},
		"yarn": {`"model_type": "llama", "rope_scaling": {"type": "yarn", "factor": 4.0, "original_max_position_embeddings": 4096}`, func(c checkpoint.Config) string {
			return differ(c.RopeScaling.BetaFast, 32.0, c.RopeScaling.BetaSlow, 1.0, c.Context, 16384, c.RopeScaling.Attention, 1.138629436111989)
		}, nil},
		"qwen2's key heads":     {`"model_type": "qwen2"`, nil, checkpoint.ErrMalformed}, // 32 where it is left out
		"qwen2, 4096":           {`"model_type": "qwen2", "num_key_value_heads": 8, "use_sliding_window": true, "max_window_layers": 0`, func(c checkpoint.Config) string { return differ(c.SlidingWindow, 4096) }, nil},
		"qwen2, null":           {`"model_type": "qwen2", "num_key_value_heads": 8, "use_sliding_window": true, "sliding_window": null, "max_window_layers": 0`, func(c checkpoint.Config) string { return differ(c.SlidingWindow, 0) }, nil},
		"unknown key":           {`"model_type": "llama", "logits_scaling": 8`, nil, checkpoint.ErrUnsupported},
		"llama's window":        {`"model_type": "llama", "sliding_window": 8`, nil, checkpoint.ErrUnsupported},
		"rope key of another":   {`"model_type": "llama", "rope_scaling": {"type": "linear", "factor": 2, "beta_fast": 3}`, nil, checkpoint.ErrUnsupported},
		"mistral's layer types": {`"model_type": "mistral", "layer_types": ["full_attention", "full_attention", "full_attention", "full_attention"]`, nil, checkpoint.ErrUnsupported},
		"mistral, absent":       {`"model_type": "mistral"`, func(c checkpoint.Config) string { return differ(c.SlidingWindow, 4096) }, nil},
		"mistral, null":         {`"model_type": "mistral", "sliding_window": null`, func(c checkpoint.Config) string { return differ(c.SlidingWindow, 0) }, nil},
		"mistral, 1000":         {`"model_type": "mistral", "sliding_window": 1000`, func(c checkpoint.Config) string { return differ(c.SlidingWindow, 1000) }, nil},
		"mistral, all context":  {`"model_type": "mistral", "sliding_window": 8192`, func(c checkpoint.Config) string { return differ(c.SlidingWindow, 0) }, nil},
		"qwen2, off":            {`"model_type": "qwen2", "num_key_value_heads": 8, "sliding_window": 1000, "use_sliding_window": false, "max_window_layers": 2`, func(c checkpoint.Config) string { return differ(c.SlidingWindow, 0) }, nil},
		"qwen2, no layer":       {`"model_type": "qwen2", "num_key_value_heads": 8, "sliding_window": 1000, "use_sliding_window": true, "max_window_layers": 4`, func(c checkpoint.Config) string { return differ(c.SlidingWindow, 0) }, nil},
		"qwen2, some":           {`"model_type": "qwen2", "num_key_value_heads": 8, "sliding_window": 1000, "use_sliding_window": true, "max_window_layers": 2`, nil, checkpoint.ErrUnsupported},
		"qwen2, all":            {`"model_type": "qwen2", "num_key_value_heads": 8, "sliding_window": 1000, "use_sliding_window": true, "max_window_layers": 0`, func(c checkpoint.Config) string { return differ(c.SlidingWindow, 1000) }, nil},
		"layer types":           {`"model_type": "qwen3", "num_key_value_heads": 8, "layer_types": ["full_attention", "full_attention", "full_attention", "full_attention"]`, func(c checkpoint.Config) string { return differ(c.SlidingWindow, 0) }, nil},
		"layer types, number":   {`"model_type": "qwen3", "num_key_value_heads": 8, "layer_types": ["full_attention"]`, nil, checkpoint.ErrMalformed},
		"layer types, other":    {`"model_type": "qwen3", "num_key_value_heads": 8, "layer_types": ["full_attention", "linear_attention", "full_attention", "full_attention"]`, nil, checkpoint.ErrUnsupported},
		"MLP bias":              {`"model_type": "llama", "mlp_bias": true`, nil, checkpoint.ErrUnsupported},
		"partial rope":          {`"model_type": "llama", "partial_rotary_factor": 0.5`, nil, checkpoint.ErrUnsupported},
		"old -1":                {`"model_type": "llama", "bos_token_id": -1`, func(c checkpoint.Config) string { return differ(c.BOS, -1) }, nil},
		"bad bos":               {`"model_type": "llama", "bos_token_id": 100`, nil, checkpoint.ErrMalformed},
		"fraction":              {`"model_type": "llama", "num_key_value_heads": 2.5`, nil, checkpoint.ErrMalformed},
	} {
		t.Run(name, func(t *testing.T) {
			c, err := checkpoint.ReadConfig([]byte("{"+common+", "+test.json+"}"), nil)
			if test.kind != nil {
				refused(t, err, test.kind, "config.json")
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if d := test.want(c); d != "" {
				t.Error(d)
			}
		})
	}
}

// differ lists the pairs that are not equal when printed.
func differ(pairs ...any) string {
	var d []string
	for i := 0; i < len(pairs); i += 2 {
		if fmt.Sprint(pairs[i]) != fmt.Sprint(pairs[i+1]) {
			d = append(d, fmt.Sprintf("pair %d: %v, want %v", i/2, pairs[i], pairs[i+1]))
		}
	}
	return strings.Join(d, "; ")
}

// TestErrorText has the two forms of a message.
func TestErrorText(t *testing.T) {
	for want, err := range map[string]*checkpoint.Error{
		"checkpoint: m.gguf: t: malformed: offset 8, want a multiple of 32": {File: "m.gguf", Item: "t", Got: "offset 8", Want: "a multiple of 32", Kind: checkpoint.ErrMalformed},
		"checkpoint: m.gguf: version 9 is not supported, want 2 or 3":       {File: "m.gguf", Got: "version 9", Want: "2 or 3", Kind: checkpoint.ErrUnsupported},
		"checkpoint: d: lm_head.weight: missing, want a shape":              {File: "d", Item: "lm_head.weight", Want: "a shape", Kind: checkpoint.ErrMissing},
	} {
		if err.Error() != want || !errors.Is(err, err.Kind) {
			t.Errorf("%q, want %q", err, want)
		}
	}
}
