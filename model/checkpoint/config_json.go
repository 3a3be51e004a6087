package checkpoint

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"path/filepath"
	"reflect"
	"slices"
	"strings"

	"foretoken/model"
	"foretoken/strict"
)

// fields is a JSON object of a config file. The first failure stays.
type fields struct {
	file string
	kv   map[string]json.RawMessage
	err  error
}

func parseFields(file string, b []byte) (*fields, error) {
	f := &fields{file: file}
	if err := json.Unmarshal(b, &f.kv); err != nil {
		return nil, malformed(file, "", "a JSON object", "%s", strict.Got(err))
	}
	if err := strict.Known(b, &f.kv); err != nil { // a key that is there twice, above all
		got, want, _ := strings.Cut(err.Error(), ", want ")
		return nil, malformed(file, "", want, "%s", got)
	}
	return f, nil
}

// get is the value of key; ok is false when it is absent or null.
func get[T any](f *fields, key string) (v T, ok bool) {
	raw, there := f.kv[key]
	if !there || string(raw) == "null" {
		return v, false
	}
	if err := json.Unmarshal(raw, &v); err != nil {
		if f.err == nil {
			f.err = malformed(f.file, key, strict.Wanted(reflect.TypeFor[T]()), "%.40s", raw)
		}
		var zero T
		return zero, false
	}
	return v, true
}

func or[T any](f *fields, key string, otherwise T) T {
	if v, ok := get[T](f, key); ok {
		return v
	}
	return otherwise
}

// need is a number of something that every model has.
func need(f *fields, key string) int {
	v, ok := get[int](f, key)
	if !ok && f.err == nil {
		f.err = missing(f.file, key, "a whole number")
	}
	if ok && v < 1 && f.err == nil {
		f.err = malformed(f.file, key, "at least 1", "%d", v)
	}
	return v
}

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
	c.Name = filepath.Base(folder)
	c.Hidden = need(f, "hidden_size")
	c.Layers = need(f, "num_hidden_layers")
	c.Heads = need(f, "num_attention_heads")
	c.KVHeads = or(f, "num_key_value_heads", c.Heads)
	c.Intermediate = need(f, "intermediate_size")
	c.Vocab = need(f, "vocab_size")
	c.Context = or(f, "max_position_embeddings", 0)
	c.NormEps = float32(or(f, "rms_norm_eps", 1e-6))
	c.HeadDim = f.headDim(c)
	bias := or(f, "attention_bias", false)
	c.QKVBias = c.Architecture == "qwen2" || bias && c.Architecture != "mistral"
	c.OutputBias = bias && (c.Architecture == "llama" || c.Architecture == "qwen3")
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
	return c, s, c.check(file)
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
	if act := or(f, "hidden_act", "silu"); act != "silu" {
		return q, unsupported(f.file, "hidden_act", fmt.Sprintf("%q", act), "silu")
	}
	if or(f, "mlp_bias", false) {
		return q, unsupported(f.file, "mlp_bias", "an MLP with biases", "one without")
	}
	if p := or(f, "partial_rotary_factor", 1.0); p != 1 {
		return q, unsupported(f.file, "partial_rotary_factor", fmt.Sprint(p), "1")
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
