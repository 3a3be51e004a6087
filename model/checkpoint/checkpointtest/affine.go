package checkpointtest

import (
	"maps"
	"math"
	"strings"

	"foretoken/model/checkpoint"
)

// WriteAffine writes a folder whose matrices are quantised as MLX quantises them,
// with scales, biases and vectors as d: F32, F16 or BF16. The values of m become
// what they are after that. own has what its modules have instead of bits and size.
func (m *Model) WriteAffine(dir string, d checkpoint.DType, bits, size, shards int, own map[string]checkpoint.Groups) error {
	stated := map[string]any{"bits": bits, "group_size": size, "mode": "affine"}
	for name, g := range own {
		stated[name] = map[string]any{"bits": g.Bits, "group_size": g.Size}
	}
	config := m.ConfigJSON()
	config["quantization"], config["quantization_config"] = stated, maps.Clone(stated)
	var parts [][]stored
	for _, t := range m.Tensors {
		name := strings.TrimSuffix(t.Name, ".weight")
		g, ok := own[name]
		if !ok {
			g = checkpoint.Groups{Bits: bits, Size: size}
		}
		if len(t.Shape) == 2 {
			for _, s := range quantised(name, t, d, g) {
				parts = append(parts, []stored{s})
			}
			continue
		}
		parts = append(parts, []stored{{t.Name, d.String(), t.Shape, Encode(d, t.Values)}})
		round(d, t.Values)
	}
	return m.writeFolder(dir, config, parts, shards)
}

// quantised is a matrix in groups, whose values become those of the groups.
func quantised(name string, t Tensor, d checkpoint.DType, g checkpoint.Groups) []stored {
	rows, cols := t.Shape[0], t.Shape[1]
	if cols%g.Size != 0 {
		panic("checkpointtest: rows that are no whole groups")
	}
	top := float64(int(1)<<g.Bits - 1)
	var words []byte
	at := -1 // the last bit that is written
	var scales, biases []float32
	for v := t.Values; len(v) > 0; v = v[g.Size:] {
		low, high := v[0], v[0]
		for _, x := range v[:g.Size] {
			low, high = min(low, x), max(high, x)
		}
		pair := []float32{float32(float64(high-low) / top), low}
		round(d, pair)
		scales, biases = append(scales, pair[0]), append(biases, pair[1])
		for i, x := range v[:g.Size] {
			q := min(max(math.RoundToEven(float64((x-pair[1])/pair[0])), 0), top)
			v[i] = float32(pair[0]*float32(q)) + pair[1]
			for bit := range g.Bits {
				if at++; at%8 == 0 {
					words = append(words, 0)
				}
				words[at/8] |= byte(q) >> bit & 1 << (at % 8)
			}
		}
	}
	shape := []int{rows, cols / g.Size}
	return []stored{{name + ".weight", "U32", []int{rows, cols * g.Bits / 32}, words},
		{name + ".scales", d.String(), shape, Encode(d, scales)}, {name + ".biases", d.String(), shape, Encode(d, biases)}}
}

// round makes values what d can hold.
func round(d checkpoint.DType, values []float32) {
	t := checkpoint.Tensor{Type: d, Shape: []int{len(values)}, Data: Encode(d, values)}
	if err := t.Float32(values); err != nil {
		panic("checkpointtest: " + err.Error())
	}
}
