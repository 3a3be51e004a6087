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
	m.arch = arch
	m.refuse()
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

// refuse fails on what the family's architectures can say and is not computed.
func (m *ggufMeta) refuse() {
	if n, _ := metaField[int64](m, "split.count", "an integer"); n > 1 && m.err == nil {
		m.err = unsupported(m.file, "split.count", fmt.Sprintf("a model split over %d files", n), "one file (llama-gguf-split --merge makes it)")
	}
	if n, _ := m.integer("expert_count"); n > 0 && m.err == nil {
		m.err = unsupported(m.file, m.arch+".expert_count", fmt.Sprintf("a mixture of %d experts", n), "a dense model")
	}
}

func (m *ggufMeta) rope(c *Config) {
	var ok bool
	if c.HeadDim, ok = m.integer("attention.key_length"); !ok && c.Heads > 0 {
		c.HeadDim = c.Hidden / c.Heads
	}
	for _, key := range []string{"attention.value_length", "rope.dimension_count"} {
		if n, ok := m.integer(key); ok && n != c.HeadDim && c.HeadDim > 0 && m.err == nil { // 0: what it is made of is at fault
			m.err = unsupported(m.file, m.arch+"."+key, fmt.Sprint(n), fmt.Sprintf("%d, the head dimension", c.HeadDim))
		}
	}
	if c.RopeTheta, ok = field[float64](m, "rope.freq_base", "a float"); !ok {
		c.RopeTheta = 10000
	}
	factor, _ := field[float64](m, "rope.scaling.factor", "a float")
	if old, ok := field[float64](m, "rope.scale_linear", "a float"); ok && old != 1 {
		c.RopeScaling = &RopeScaling{Type: "linear", Factor: old}
	}
	switch typ, _ := field[string](m, "rope.scaling.type", "a string"); typ {
	case "", "none":
	case "linear":
		c.RopeScaling = &RopeScaling{Type: "linear", Factor: factor}
	default:
		if m.err == nil {
			m.err = unsupported(m.file, m.arch+".rope.scaling.type", fmt.Sprintf("type %q", typ), "linear or none")
		}
	}
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
