package checkpoint

import (
	"fmt"
	"math"
	"slices"

	"foretoken/model"
)

// ggufMeta reads fields of the metadata. The first failure stays.
type ggufMeta struct {
	file string
	arch string
	kv   map[string]any
	err  error
}

// field returns the value of key, with %s for the architecture, or ok false when
// it is not there. A value of another kind is a failure.
func field[T any](m *ggufMeta, key, kind string) (v T, ok bool) {
	if m.arch != "" {
		key = m.arch + "." + key
	}
	return metaField[T](m, key, kind)
}

func metaField[T any](m *ggufMeta, key, kind string) (v T, ok bool) {
	raw, there := m.kv[key]
	if !there {
		return v, false
	}
	v, ok = raw.(T)
	if !ok && m.err == nil {
		got := fmt.Sprintf("%T", raw)
		if _, list := raw.([]int64); list && kind == "an integer" {
			m.err = unsupported(m.file, key, "a value for each layer", "one value for all")
			return v, false
		}
		m.err = malformed(m.file, key, kind, "a value of type %s", got)
	}
	return v, ok
}

func (m *ggufMeta) integer(key string) (int, bool) {
	v, ok := field[int64](m, key, "an integer")
	if ok && int64(int(v)) != v {
		m.err = malformed(m.file, m.arch+"."+key, "an integer that fits", "%d", v)
	}
	return int(v), ok
}

// need is an integer that must be there.
func (m *ggufMeta) need(key string) int {
	v, ok := m.integer(key)
	if !ok && m.err == nil {
		m.err = missing(m.file, m.arch+"."+key, "an integer")
	}
	return v
}

// config reads the metadata's config; entries tell what the model has.
func (m *ggufMeta) config(entries []entry) (c Config) {
	arch, ok := metaField[string](m, "general.architecture", "a string")
	if !ok {
		if m.err == nil {
			m.err = missing(m.file, "general.architecture", "a string")
		}
		return c
	}
	if m.err = checkArchitecture(m.file, "general.architecture", arch); m.err != nil {
		return c
	}
	if arch == "mistral" && m.err == nil { // whose rows of q and k could be in either order
		m.err = unsupported(m.file, "general.architecture", `architecture "mistral"`, "llama, as which converters write Mistral")
	}
	m.arch = arch
	m.known()
	c.Architecture = arch
	c.Name, _ = metaField[string](m, "general.name", "a string")
	c.Hidden = m.need("embedding_length")
	c.Layers = m.need("block_count")
	c.Heads = m.need("attention.head_count")
	c.Intermediate = m.need("feed_forward_length")
	c.Context, _ = m.integer("context_length")
	c.SlidingWindow, _ = m.integer("attention.sliding_window")
	if c.KVHeads, ok = m.integer("attention.head_count_kv"); !ok {
		c.KVHeads = c.Heads
	}
	eps, ok := field[float64](m, "attention.layer_norm_rms_epsilon", "a float")
	if !ok && m.err == nil {
		m.err = missing(m.file, arch+".attention.layer_norm_rms_epsilon", "a float")
	}
	c.NormEps = float32(eps)
	m.rope(&c)
	m.vocabulary(&c, entries)
	has := func(name string) bool {
		return slices.ContainsFunc(entries, func(e entry) bool { return e.name == name })
	}
	c.TiedHead = !has("output.weight")
	c.QKVBias = arch == "qwen2" || has("blk.0.attn_q.bias")
	c.OutputBias = has("blk.0.attn_output.bias")
	c.QKNorm = arch == "qwen3"
	return c
}

// vocabulary takes the size from the embedding, which may have more rows than the
// tokenizer has ids, and the ids that begin and end a sequence.
func (m *ggufMeta) vocabulary(c *Config, entries []entry) {
	for _, e := range entries {
		if e.name == "token_embd.weight" {
			c.Vocab = e.shape[0]
		}
	}
	if c.Vocab == 0 && m.err == nil {
		m.err = missing(m.file, "token_embd.weight", "the embedding")
	}
	if tokens, ok := metaField[[]string](m, "tokenizer.ggml.tokens", "a list of strings"); ok && len(tokens) > c.Vocab && m.err == nil {
		m.err = mismatch(m.file, "tokenizer.ggml.tokens", fmt.Sprintf("at most %d, the rows of token_embd.weight", c.Vocab), "a list of %d", len(tokens))
	}
	c.BOS = -1
	if id, ok := m.id("tokenizer.ggml.bos_token_id"); ok {
		c.BOS = id
	}
	for _, key := range []string{"eos", "eot", "eom"} {
		if id, ok := m.id("tokenizer.ggml." + key + "_token_id"); ok && !slices.Contains(c.EOS, id) {
			c.EOS = append(c.EOS, id)
		}
	}
}

// id is a token id; 2^32-1, what llama.cpp writes for "none", is none.
func (m *ggufMeta) id(key string) (model.Token, bool) {
	v, ok := metaField[int64](m, key, "an integer")
	if !ok || v == math.MaxUint32 || v == -1 {
		return 0, false
	}
	if v < 0 || v > math.MaxInt32 {
		m.err = malformed(m.file, key, "a token id", "%d", v)
		return 0, false
	}
	return model.Token(v), true
}
