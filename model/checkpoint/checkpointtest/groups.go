package checkpointtest

import (
	"strings"

	"foretoken/model/checkpoint"
)

// Groups is config.json's quantization of a model in groups of int8.
var Groups = map[string]any{"method": "int8-groups", "bits": 8, "group_size": 32}

// AddValues adds a tensor as d. A matrix as Q8_0 becomes groups of int8, and what
// has no whole groups F16.
func (f *Safetensors) AddValues(d checkpoint.DType, t Tensor) {
	cols := t.Shape[len(t.Shape)-1]
	switch {
	case d != checkpoint.Q8_0:
	case len(t.Shape) != 2 || cols%32 != 0:
		d = checkpoint.F16
	default:
		var weights, scales []byte
		for b := Encode(d, t.Values); len(b) > 0; b = b[34:] {
			scales, weights = append(scales, b[:2]...), append(weights, b[2:34]...)
		}
		f.Add(t.Name, "I8", t.Shape, weights)
		f.Add(strings.TrimSuffix(t.Name, ".weight")+".scales", "F16", []int{t.Shape[0], cols / 32}, scales)
		return
	}
	f.Add(t.Name, d.String(), t.Shape, Encode(d, t.Values))
}
