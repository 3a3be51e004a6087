package checkpoint

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"
)

// ropeKeys are what each type of rope reads beside what all have. A key of another type
// is refused: transformers would leave it unread.
var ropeKeys = map[string][]string{
	"default":  {},
	"linear":   {"factor"},
	"dynamic":  {"factor"},
	"llama3":   {"factor", "low_freq_factor", "high_freq_factor"},
	"yarn":     {"factor", "attention_factor", "beta_fast", "beta_slow", "mscale", "mscale_all_dim", "truncate"},
	"longrope": {"factor", "attention_factor", "short_factor", "long_factor"},
}

var ropeAll = []string{"type", "rope_type", "rope_theta", "partial_rotary_factor", "original_max_position_embeddings", "finetuned"}

// rope reads rope_scaling and rope_theta, or the rope_parameters that newer configs have
// in the place of both. Where both are there, transformers takes rope_scaling whole; a
// rope_theta in the one that is taken comes before the one beside it.
func (f *fields) rope(c *Config) {
	c.RopeTheta = or(f, "rope_theta", 10000.0)
	key, s := "rope_scaling", f.object("rope_scaling")
	if s == nil || len(s.kv) == 0 {
		key, s = "rope_parameters", f.object("rope_parameters")
	}
	if s == nil {
		return
	}
	c.RopeTheta = or(s, "rope_theta", c.RopeTheta)
	typ := or(s, "rope_type", or(s, "type", "default"))
	original := or(s, "original_max_position_embeddings", c.Context)
	if s.err == nil {
		s.err = s.ropeKnown(key, typ)
	}
	switch typ {
	case "llama3", "yarn", "longrope": // the one beside it comes first
		original = or(f, "original_max_position_embeddings", original)
	case "dynamic":
		if original != c.Context && s.err == nil {
			s.err = unsupported(f.file, key+".original_max_position_embeddings", fmt.Sprintf("%d for dynamic rope", original),
				fmt.Sprintf("%d, max_position_embeddings, which transformers computes with", c.Context))
		}
	}
	if typ != "default" && s.err == nil {
		c.RopeScaling = s.scaling(typ, original, c.Context)
		c.Context = c.RopeScaling.context(c.Context)
	}
	f.err = cmp.Or(f.err, s.err)
}

// ropeKnown refuses a type of rope that is not computed, and keys that it has not.
func (s *fields) ropeKnown(at, typ string) error {
	keys, ok := ropeKeys[typ]
	if !ok {
		return unsupported(s.file, at+".rope_type", fmt.Sprintf("rope of type %q", typ), "default, linear, dynamic, yarn, longrope or llama3")
	}
	for _, key := range slices.Sorted(maps.Keys(s.kv)) {
		if s.says(key) != nil && !slices.Contains(keys, key) && !slices.Contains(ropeAll, key) {
			return unsupported(s.file, at+"."+key, fmt.Sprintf("%.40s in rope of type %s", s.kv[key], typ), "no such key there")
		}
	}
	if p := or(s, "partial_rotary_factor", 1.0); p != 1 && s.err == nil {
		return unsupported(s.file, at+".partial_rotary_factor", fmt.Sprint(p), "1")
	}
	if a := or(s, "attention_factor", 1.0); !(a > 0) && s.err == nil {
		return malformed(s.file, at+".attention_factor", "above 0", "%g", a)
	}
	return s.err
}

// scaling reads what a type of rope has. What may be absent has then the value that
// transformers gives it.
func (s *fields) scaling(typ string, original, context int) *RopeScaling {
	r := &RopeScaling{Type: typ, Factor: or(s, "factor", 0.0), OriginalContext: original}
	switch typ {
	case "llama3":
		r.LowFreqFactor, r.HighFreqFactor = or(s, "low_freq_factor", 0.0), or(s, "high_freq_factor", 0.0)
	case "yarn":
		r.BetaFast, r.BetaSlow = orNotZero(s, "beta_fast", 32), orNotZero(s, "beta_slow", 1)
		r.Unrounded = !or(s, "truncate", true)
		m, all := or(s, "mscale", 0.0), or(s, "mscale_all_dim", 0.0)
		r.Attention = yarnAttention(r.Factor, 1)
		if m != 0 && all != 0 {
			r.Attention = yarnAttention(r.Factor, m) / yarnAttention(r.Factor, all)
		}
		r.Attention = or(s, "attention_factor", r.Attention)
	case "longrope":
		r.Factors, r.LongFactors = or[[]float64](s, "short_factor", nil), or[[]float64](s, "long_factor", nil)
		if !s.has("factor") && original > 0 {
			r.Factor = float64(context) / float64(original)
		}
		r.Attention = 1
		if r.Factor > 1 {
			r.Attention = math.Sqrt(1 + math.Log(r.Factor)/math.Log(float64(original)))
		}
		r.Attention = or(s, "attention_factor", r.Attention)
	}
	return r
}

func (f *fields) has(key string) bool { return f.says(key) != nil }

// orNotZero is a number, or otherwise where it is absent or 0.
func orNotZero(f *fields, key string, otherwise float64) float64 {
	return cmp.Or(or(f, key, otherwise), otherwise)
}

// object is the object at key, nil when it is absent or null.
func (f *fields) object(key string) *fields {
	kv, ok := get[map[string]json.RawMessage](f, key)
	if !ok {
		return nil
	}
	return &fields{file: f.file, kv: kv}
}
