package checkpoint

import (
	"cmp"
	"encoding/json"
	"fmt"
)

// rope reads rope_theta and rope_scaling, or the rope_parameters that newer
// configs have in the place of both.
func (f *fields) rope(c *Config) {
	c.RopeTheta = or(f, "rope_theta", 10000.0)
	key, s := "rope_parameters", f.object("rope_parameters")
	if s == nil {
		key, s = "rope_scaling", f.object("rope_scaling")
	}
	if s == nil {
		return
	}
	c.RopeTheta = or(s, "rope_theta", c.RopeTheta)
	typ := or(s, "rope_type", or(s, "type", "default"))
	if typ != "default" {
		c.RopeScaling = &RopeScaling{
			Type:            typ,
			Factor:          or(s, "factor", 0.0),
			LowFreqFactor:   or(s, "low_freq_factor", 0.0),
			HighFreqFactor:  or(s, "high_freq_factor", 0.0),
			OriginalContext: or(s, "original_max_position_embeddings", c.Context),
		}
	}
	if p := or(s, "partial_rotary_factor", 1.0); p != 1 && s.err == nil {
		s.err = unsupported(f.file, key+".partial_rotary_factor", fmt.Sprint(p), "1")
	}
	f.err = cmp.Or(f.err, s.err)
}

// object is the object at key, nil when it is absent or null.
func (f *fields) object(key string) *fields {
	kv, ok := get[map[string]json.RawMessage](f, key)
	if !ok {
		return nil
	}
	return &fields{file: f.file, kv: kv}
}

// window reads the sliding window. Mistral's is on every layer, and 4096 where
// config.json leaves it out; Qwen's is on only where use_sliding_window says so,
// from layer max_window_layers on. One that holds for some layers alone is
// refused.
func (f *fields) window(c *Config) {
	if c.Architecture == "llama" {
		return
	}
	w, on := get[int](f, "sliding_window")
	from := 0 // the first layer that slides
	switch {
	case c.Architecture == "mistral":
		if _, there := f.kv["sliding_window"]; !there {
			w, on = 4096, true
		}
	case !or(f, "use_sliding_window", false):
		on = false
	default:
		from = or(f, "max_window_layers", 28)
	}
	sliding := max(c.Layers-max(from, 0), 0)
	if types, ok := get[[]string](f, "layer_types"); ok {
		if len(types) != c.Layers && f.err == nil {
			f.err = malformed(f.file, "layer_types", fmt.Sprintf("%d, one a layer", c.Layers), "%d of them", len(types))
		}
		sliding = 0
		for _, t := range types {
			if t == "sliding_attention" {
				sliding++
			} else if t != "full_attention" && f.err == nil {
				f.err = unsupported(f.file, "layer_types", fmt.Sprintf("%q", t), "full_attention or sliding_attention")
			}
		}
	}
	switch {
	case !on || sliding == 0 || c.Context > 0 && w >= c.Context:
	case sliding != c.Layers:
		if f.err == nil {
			f.err = unsupported(f.file, "sliding_window", fmt.Sprintf("a window on %d of %d layers", sliding, c.Layers), "all or none")
		}
	case w < 1:
		f.err = cmp.Or(f.err, malformed(f.file, "sliding_window", "1 or more", "%d", w))
	default:
		c.SlidingWindow = w
	}
}
