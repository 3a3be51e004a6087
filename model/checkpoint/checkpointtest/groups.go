package checkpointtest

import (
	"strings"

	"foretoken/model/checkpoint"
)

// Groups is config.json's quantization of a model in groups of int8.
var Groups = map[string]any{"method": "int8-groups", "bits": 8, "group_size": 32}

// AddValues adds a tensor as d. A matrix as Q8_0 or Q4_1 becomes groups of 8 or 4
// bits, and what has no whole groups F16.
func (f *Safetensors) AddValues(d checkpoint.DType, t Tensor) {
	cols := t.Shape[len(t.Shape)-1]
	switch {
	case d != checkpoint.Q8_0 && d != checkpoint.Q4_1:
	case len(t.Shape) != 2 || cols%32 != 0:
		d = checkpoint.F16
	default:
		f.addGroups(d, t)
		return
	}
	f.Add(t.Name, d.String(), t.Shape, Encode(d, t.Values))
}

// addGroups takes the blocks of a matrix apart.
func (f *Safetensors) addGroups(d checkpoint.DType, t Tensor) {
	rows, cols, name := t.Shape[0], t.Shape[1], strings.TrimSuffix(t.Name, ".weight")
	var weights, scales, mins []byte
	for b := Encode(d, t.Values); len(b) > 0; b = b[d.BlockBytes():] {
		block := b[:d.BlockBytes()]
		scales = append(scales, block[:2]...)
		if d == checkpoint.Q4_1 {
			mins, weights = append(mins, block[2:4]...), append(weights, block[4:]...)
		} else {
			weights = append(weights, block[2:]...)
		}
	}
	if d == checkpoint.Q4_1 {
		f.Add(t.Name, "U8", []int{rows, cols / 2}, weights)
		f.Add(name+".mins", "F16", []int{rows, cols / 32}, mins)
	} else {
		f.Add(t.Name, "I8", t.Shape, weights)
	}
	f.Add(name+".scales", "F16", []int{rows, cols / 32}, scales)
}
