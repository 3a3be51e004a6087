package checkpoint

import (
	"fmt"
	"slices"
)

// defaultWindow is what transformers gives Mistral and Qwen where sliding_window is left
// out; null is none.
const defaultWindow = 4096

// window reads the sliding window. Mistral's is on every layer; Qwen's is on only where
// use_sliding_window says so, on the layers that layer_types names or, without it, from
// layer max_window_layers on. One that holds for some layers alone is refused.
func (f *fields) window(c *Config) {
	if c.Architecture == "llama" {
		return
	}
	w, on := get[int](f, "sliding_window")
	if _, there := f.kv["sliding_window"]; !there {
		w, on = defaultWindow, true
	}
	sliding := c.Layers
	if c.Architecture != "mistral" {
		on = or(f, "use_sliding_window", false) && on
		sliding = max(c.Layers-max(or(f, "max_window_layers", 28), 0), 0)
	}
	if !on {
		sliding = 0
	}
	sliding = f.layerTypes(c, sliding)
	switch {
	case f.err != nil, sliding == 0, c.Context > 0 && w >= c.Context:
	case w < 1:
		f.err = malformed(f.file, "sliding_window", "1 or more", "%d", w)
	case sliding != c.Layers:
		f.err = unsupported(f.file, "sliding_window", fmt.Sprintf("a window on %d of %d layers", sliding, c.Layers), "all or none")
	default:
		c.SlidingWindow = w
	}
}

// layerTypes is how many layers slide: those of layer_types, if it is there. It is
// refused where the other keys say that there is no window, and for Mistral, where
// transformers does not read it, unless it says the same.
func (f *fields) layerTypes(c *Config, sliding int) int {
	types, ok := get[[]string](f, "layer_types")
	if !ok || f.err != nil {
		return sliding
	}
	if len(types) != c.Layers {
		f.err = malformed(f.file, "layer_types", fmt.Sprintf("%d, one a layer", c.Layers), "%d of them", len(types))
		return 0
	}
	n := 0
	for _, t := range types {
		if !slices.Contains([]string{"full_attention", "sliding_attention"}, t) {
			f.err = unsupported(f.file, "layer_types", fmt.Sprintf("%q", t), "full_attention or sliding_attention")
		}
		if t == "sliding_attention" {
			n++
		}
	}
	if f.err == nil && n != sliding && (c.Architecture == "mistral" || !f.windowOn()) {
		f.err = unsupported(f.file, "layer_types", fmt.Sprintf("a window on %d layers, beside a sliding_window on %d,", n, sliding), "both to say the same")
	}
	return n
}

// windowOn is whether Qwen's other keys give it a window.
func (f *fields) windowOn() bool {
	raw, there := f.kv["sliding_window"]
	return or(f, "use_sliding_window", false) && (!there || string(raw) != "null")
}
