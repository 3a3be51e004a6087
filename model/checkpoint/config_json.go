package checkpoint

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"

	"foretoken/model"
)

// stored is what config.json says of the file rather than of the model.
type stored struct {
	tied *bool // the head is the embedding; nil: it says nothing
	quantisation
}

// parseConfig reads the texts of config.json and, unless nil, generation_config.json.
// What may be absent has then the value that transformers gives it.
func parseConfig(folder string, config, generation []byte) (c Config, s stored, err error) {
	file := filepath.Join(folder, configName)
	f, err := parseFields(file, config)
	if err != nil {
		return c, s, err
	}
	if c.Architecture, err = f.architecture(); err != nil {
		return c, s, err
	}
	if s.quantisation, err = f.refuse(); err != nil {
		return c, s, err
	}
	if err = f.known(c.Architecture); err != nil {
		return c, s, err
	}
	c.Name = filepath.Base(folder)
	c.Hidden = need(f, "hidden_size")
	c.Layers = need(f, "num_hidden_layers")
	c.Heads = need(f, "num_attention_heads")
	c.KVHeads = f.kvHeads(c)
	c.Intermediate = need(f, "intermediate_size")
	c.Vocab = need(f, "vocab_size")
	c.Context = or(f, "max_position_embeddings", defaultContext[c.Architecture])
	c.NormEps = float32(or(f, "rms_norm_eps", 1e-6))
	c.HeadDim = f.headDim(c)
	bias := or(f, "attention_bias", false)
	c.QKVBias = c.Architecture == "qwen2" || bias
	c.OutputBias = c.Architecture != "qwen2" && bias
	c.QKNorm = c.Architecture == "qwen3"
	f.rope(&c)
	f.window(&c)
	f.ends(&c, generation)
	if t, ok := get[bool](f, "tie_word_embeddings"); ok {
		s.tied = &t
	}
	if f.err != nil {
		return c, s, f.err
	}
	return c, s, c.check(file, jsonKeys)
}

// What transformers has where config.json says nothing.
var (
	defaultContext = map[string]int{"llama": 2048, "mistral": 131072, "qwen2": 32768, "qwen3": 32768}
	defaultKVHeads = map[string]int{"mistral": 8, "qwen2": 32, "qwen3": 32} // Llama has as many as heads; so has a null
)

// kvHeads is how many heads keys and values have.
func (f *fields) kvHeads(c Config) int {
	otherwise := c.Heads
	if _, there := f.kv["num_key_value_heads"]; !there && defaultKVHeads[c.Architecture] > 0 {
		otherwise = defaultKVHeads[c.Architecture]
	}
	return or(f, "num_key_value_heads", otherwise)
}

// headDim is head_dim, or what the heads divide the width into; Qwen3 has 128.
func (f *fields) headDim(c Config) int {
	if d, ok := get[int](f, "head_dim"); ok {
		return d
	}
	if c.Architecture == "qwen3" {
		return 128
	}
	if c.Heads < 1 || c.Hidden%c.Heads != 0 {
		if f.err == nil {
			f.err = malformed(f.file, "num_attention_heads", fmt.Sprintf("a divisor of %d, the hidden size, where head_dim is absent", c.Hidden), "%d", c.Heads)
		}
		return 0
	}
	return c.Hidden / c.Heads
}

// architecture is model_type, or what the class of the model is named after.
func (f *fields) architecture() (string, error) {
	name, ok := get[string](f, "model_type")
	if classes, _ := get[[]string](f, "architectures"); !ok && len(classes) > 0 {
		name, ok = strings.ToLower(strings.TrimSuffix(classes[0], "ForCausalLM")), true
	}
	if f.err != nil {
		return "", f.err
	}
	if !ok {
		return "", missing(f.file, "model_type", "an architecture (have "+strings.Join(Architectures, ", ")+")")
	}
	return name, checkArchitecture(f.file, "model_type", name)
}

// refuse fails on what the family's configs can say and is not computed.
func (f *fields) refuse() (q quantisation, err error) {
	if q, err = f.quantisation(); err != nil {
		return q, err
	}
	// MLX writes what it says of its quantisation under this name too.
	if c, ok := get[map[string]json.RawMessage](f, "quantization_config"); ok && (q.mlx == nil || c["quant_method"] != nil) {
		return q, unsupported(f.file, "quantization_config", "a quantised model", readable)
	}
	if err = f.neutral(); err != nil {
		return q, err
	}
	return q, f.err
}

// ends reads the ids that begin and end a sequence: those of generation_config.json
// and those of config.json, each an integer or a list.
func (f *fields) ends(c *Config, generation []byte) {
	files := []*fields{f}
	if generation != nil {
		g, err := parseFields(filepath.Join(filepath.Dir(f.file), generationName), generation)
		if err != nil {
			f.err = cmp.Or(f.err, err)
			return
		}
		files = []*fields{g, f}
	}
	c.BOS = -1
	for _, g := range files {
		for _, id := range g.ids("eos_token_id") {
			if !slices.Contains(c.EOS, id) {
				c.EOS = append(c.EOS, id)
			}
		}
		if ids := g.ids("bos_token_id"); len(ids) > 0 && c.BOS < 0 {
			c.BOS = ids[0]
		}
		f.err = cmp.Or(f.err, g.err)
	}
}

func (f *fields) ids(key string) []model.Token {
	raw := strings.TrimSpace(string(f.kv[key]))
	var list []int64
	if strings.HasPrefix(raw, "[") {
		list, _ = get[[]int64](f, key)
	} else if id, ok := get[int64](f, key); ok {
		list = []int64{id}
	}
	var ids []model.Token
	for _, id := range list {
		if id < 0 || id > math.MaxInt32 {
			if id != -1 && f.err == nil { // -1: old configs' word for none
				f.err = malformed(f.file, key, "a token id", "%d", id)
			}
			continue
		}
		ids = append(ids, model.Token(id))
	}
	return ids
}
