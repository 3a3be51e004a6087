package checkpoint_test

import (
	"math"
	"testing"

	"foretoken/model/checkpoint"
	"foretoken/model/checkpoint/checkpointtest"
)

type scaled = checkpoint.RopeScaling

// TestGGUFRope reads what llama.cpp reads of the keys of rope scaling: without a type a
// factor is linear, and attn_factor is of every kind.
func TestGGUFRope(t *testing.T) {
	short, long := []float32{1, 2, 3, 4}, []float32{5, 6, 7, 8}
	for name, test := range map[string]struct {
		meta   map[string]any
		tables bool
		want   *scaled
		kind   error
		names  string
	}{
		"factor alone":    {meta: map[string]any{"factor": float32(4)}, want: &scaled{Type: "linear", Factor: 4}},
		"factor of none":  {meta: map[string]any{"type": "none", "factor": float32(4)}},
		"factor 0":        {meta: map[string]any{"factor": float32(0)}},
		"attention alone": {meta: map[string]any{"attn_factor": float32(1.5)}, want: &scaled{Type: "linear", Factor: 1, Attention: 1.5}},
		"yarn": {meta: map[string]any{"type": "yarn", "factor": float32(4), "original_context_length": uint32(32), "yarn_beta_fast": float32(16), "attn_factor": float32(2)},
			want: &scaled{Type: "yarn", Factor: 4, OriginalContext: 32, BetaFast: 16, BetaSlow: 1, Attention: 2 * (1 + .1*math.Log(4))}},
		"yarn of all": {meta: map[string]any{"type": "yarn", "factor": float32(4)},
			want: &scaled{Type: "yarn", Factor: 4, OriginalContext: 128, BetaFast: 32, BetaSlow: 1, Attention: 1 + .1*math.Log(4)}},
		"longrope": {meta: map[string]any{"type": "longrope", "original_context_length": uint32(32), "attn_factor": float32(1.25)}, tables: true,
			want: &scaled{Type: "longrope", Factor: 1, OriginalContext: 32, Attention: 1.25, Factors: []float64{1, 2, 3, 4}, LongFactors: []float64{5, 6, 7, 8}}},
		"longrope without":    {meta: map[string]any{"type": "longrope"}, kind: checkpoint.ErrMismatch, names: "short_factor"},
		"tables alone":        {tables: true, kind: checkpoint.ErrUnsupported, names: "rope_factors_short.weight"},
		"yarn without factor": {meta: map[string]any{"type": "yarn"}, kind: checkpoint.ErrMissing, names: "llama.rope.scaling.factor"},
		"multiplier":          {meta: map[string]any{"yarn_log_multiplier": float32(.1)}, kind: checkpoint.ErrUnsupported, names: "llama.rope.scaling.yarn_log_multiplier"},
		"attention 0":         {meta: map[string]any{"attn_factor": float32(0)}, kind: checkpoint.ErrMalformed, names: "llama.rope.scaling.attn_factor"},
		"no such key":         {meta: map[string]any{"alpha": float32(3)}, kind: checkpoint.ErrUnsupported, names: "llama.rope.scaling.alpha"},
	} {
		t.Run(name, func(t *testing.T) {
			f := checkpointtest.New(checkpointtest.Small("llama"), 1).GGUF(checkpoint.F32)
			for key, v := range test.meta {
				f.Meta = append(f.Meta, checkpointtest.KV{Key: "llama.rope.scaling." + key, Value: v})
			}
			if test.tables {
				f.Add("rope_factors_short.weight", 0, []int{4}, checkpointtest.Encode(checkpoint.F32, short))
				f.Add("rope_factors_long.weight", 0, []int{4}, checkpointtest.Encode(checkpoint.F32, long))
			}
			ck, err := checkpoint.ReadGGUF(f.Bytes())
			if test.kind != nil {
				refused(t, err, test.kind, test.names)
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if d := differentScaling(ck.Config, test.want); d != "" {
				t.Error(d)
			}
		})
	}
}

// differentScaling compares what two scalings come to, "" where it is the same.
func differentScaling(c checkpoint.Config, want *scaled) string {
	other := c
	other.RopeScaling = want
	for _, n := range []int{1, 100} {
		a, b := c.RopeFrequencies(n), other.RopeFrequencies(n)
		for i := range a {
			if math.Abs(a[i]-b[i]) > 1e-7*b[i] {
				return differ("angle", "", n, i, a[i], b[i])
			}
		}
	}
	return differ(float32(c.RopeAttention()), float32(other.RopeAttention()))
}
