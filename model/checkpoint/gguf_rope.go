package checkpoint

import (
	"fmt"
	"math"
)

// rope reads how positions turn, as llama.cpp does.
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
	c.RopeTheta = m.number("rope.freq_base", 10000)
	c.RopeScaling = m.scaling(*c)
	if s := c.RopeScaling; s != nil && m.err == nil {
		c.Context = s.context(c.Context)
	}
}

// scaling is the kind of scaling: without a type it is linear, by the factor or by what
// older files have in its place. attn_factor multiplies queries and keys of every kind.
func (m *ggufMeta) scaling(c Config) *RopeScaling {
	factor, has := field[float64](m, "rope.scaling.factor", "a float")
	if !has {
		factor, has = field[float64](m, "rope.scale_linear", "a float")
	}
	typ, _ := field[string](m, "rope.scaling.type", "a string")
	if !has && (typ == "linear" || typ == "yarn") && m.err == nil {
		m.err = missing(m.file, m.arch+".rope.scaling.factor", "a float, for scaling of type "+typ)
	}
	if !has || factor == 0 { // llama.cpp's word for none
		factor = 1
	}
	attention := m.number("rope.scaling.attn_factor", 1)
	if !(attention > 0) && m.err == nil {
		m.err = malformed(m.file, m.arch+".rope.scaling.attn_factor", "above 0", "%g", attention)
	}
	s := &RopeScaling{Type: typ, Factor: factor, Attention: attention}
	switch typ {
	case "none":
		s.Type, s.Factor = "linear", 1
	case "", "linear":
		s.Type = "linear"
	case "yarn":
		m.original(s, c)
		s.BetaFast, s.BetaSlow = m.number("rope.scaling.yarn_beta_fast", 32), m.number("rope.scaling.yarn_beta_slow", 1)
		s.Attention *= yarnAttention(factor, 1)
		return s
	case "longrope":
		m.original(s, c)
		if factor != 1 && m.err == nil {
			m.err = unsupported(m.file, m.arch+".rope.scaling.factor", fmt.Sprintf("%g beside the tables of longrope", factor), "1")
		}
		return s
	default:
		if m.err == nil {
			m.err = unsupported(m.file, m.arch+".rope.scaling.type", fmt.Sprintf("type %q", typ), "none, linear, yarn or longrope")
		}
	}
	if s.Factor == 1 && s.Attention == 1 {
		return nil
	}
	return s
}

// original is the context before scaling.
func (m *ggufMeta) original(s *RopeScaling, c Config) {
	var ok bool
	if s.OriginalContext, ok = m.integer("rope.scaling.original_context_length"); !ok {
		s.OriginalContext = c.Context
	}
}

func (m *ggufMeta) number(key string, otherwise float64) float64 {
	if v, ok := field[float64](m, key, "a float"); ok {
		return v
	}
	return otherwise
}

// The tables of divisors that a GGUF has among its tensors: what llama3's scaling comes
// to, and longrope's two.
const (
	ropeFactors = "rope_freqs.weight"
	ropeShort   = "rope_factors_short.weight"
	ropeLong    = "rope_factors_long.weight"
)

// ropeTable takes a table of divisors into the config. llama.cpp's loader has
// rope_freqs beside linear scaling too, and multiplies: that is refused.
func (ck *Checkpoint) ropeTable(path string, e entry, data []byte) error {
	factors, err := table(path, e, data)
	if err != nil {
		return err
	}
	s := ck.Config.RopeScaling
	long := s != nil && s.Type == "longrope"
	switch {
	case e.name == ropeShort && long:
		s.Factors = factors
	case e.name == ropeLong && long:
		s.LongFactors = factors
	case e.name == ropeFactors && s == nil:
		ck.Config.RopeScaling = &RopeScaling{Type: "factors", Factors: factors}
	case e.name == ropeFactors:
		return unsupported(path, e.name, "a table of factors beside rope scaling of type "+s.Type, "one of the two")
	default:
		return unsupported(path, e.name, "a table of longrope", "it where rope.scaling.type is longrope")
	}
	return nil
}

func table(path string, e entry, data []byte) ([]float64, error) {
	if e.typ != F32 || len(e.shape) != 1 || e.shape[0] > maxHeads {
		return nil, mismatch(path, e.name, "a vector of F32, half a head long", "shape %v of %v", e.shape, e.typ)
	}
	values, factors := make([]float32, e.shape[0]), make([]float64, e.shape[0])
	readF32(values, data[e.begin:e.end])
	for i, f := range values {
		if factors[i] = float64(f); math.IsNaN(factors[i]) {
			return nil, malformed(path, e.name, "numbers", "factor %d is NaN", i)
		}
	}
	return factors, nil
}
