package ref

import (
	"encoding/binary"
	"maps"
	"math"
	"slices"
	"strings"
	"testing"

	"foretoken/model/checkpoint"
)

// A weight that is no finite number is named when a model is made, however it is kept.
func TestWeightsAreFinite(t *testing.T) {
	const norm, down = "model.layers.1.input_layernorm.weight", "model.layers.1.mlp.down_proj.weight"
	spoilt := func(ck *checkpoint.Checkpoint, name string, spoil func(data []byte)) *checkpoint.Checkpoint {
		out := *ck
		out.Tensors = maps.Clone(ck.Tensors)
		x := out.Tensors[name]
		x.Data = slices.Clone(x.Data)
		spoil(x.Data)
		out.Tensors[name] = x
		return &out
	}
	float := func(f float64) func([]byte) {
		return func(b []byte) { binary.LittleEndian.PutUint32(b[4*7:], math.Float32bits(float32(f))) }
	}
	dense, q := quantisedModels()["Q4_0 and float16"], quantisedModels()["Q4_1"]
	for what, c := range map[string]struct {
		ck   *checkpoint.Checkpoint
		want string
	}{
		"a vector":        {spoilt(q, norm, float(math.NaN())), norm + ": value 7 is NaN"},
		"an infinity":     {spoilt(q, norm, float(math.Inf(1))), norm + ": value 7 is +Inf"},
		"a packed scale":  {spoilt(q, down, func(b []byte) { b[0], b[1] = 0, 0x7e }), down + ", rows 0 to"},
		"a float16 scale": {spoilt(dense, down, func(b []byte) { b[0], b[1] = 0, 0x7c }), down + ", rows 0 to"},
	} {
		_, err := build(c.ck, how{k: fastest(), pool: cores()})
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want an error with %q", what, err, c.want)
		}
	}
}
