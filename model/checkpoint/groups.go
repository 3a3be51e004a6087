package checkpoint

import (
	"fmt"
	"slices"
	"strings"
)

// The groups of int8 that models of this project are shipped in: X.weight I8
// [rows, cols], X.scales F16 [rows, cols/32], a value being weight * scale. These
// are the numbers of Q8_0 in two places, so that is what a tensor of them becomes.

const (
	groupMethod = "int8-groups"
	groupSize   = 32
	readable    = "F32, F16 or BF16 safetensors, MLX's affine groups, int8-groups of 32, or a GGUF"
)

// groups reads config.json's quantization where it has a method.
func (f *fields) groups() (bool, error) {
	q, ok := get[struct {
		Method string `json:"method"`
		Bits   int    `json:"bits"`
		Size   int    `json:"group_size"`
	}](f, "quantization")
	switch {
	case f.err != nil:
		return false, f.err
	case !ok:
		return false, nil
	case q.Method != groupMethod || q.Bits != 8 || q.Size != groupSize:
		return false, unsupported(f.file, "quantization", fmt.Sprintf("%q of %d bits in groups of %d", q.Method, q.Bits, q.Size),
			fmt.Sprintf("%s of 8 bits in groups of %d", groupMethod, groupSize))
	}
	return true, nil
}

// join adds the tensors that are in groups, and returns the entries of the others.
func (ck *Checkpoint) join(path string, entries []entry, data []byte) (others []entry, err error) {
	scales, done := map[string]entry{}, map[string]bool{}
	for _, e := range entries {
		if strings.HasSuffix(e.name, ".scales") {
			scales[e.name] = e
		}
	}
	for _, e := range entries {
		name, isWeight := strings.CutSuffix(e.name, ".weight")
		if e.dtype != "I8" || !isWeight {
			continue
		}
		name += ".scales"
		s, ok := scales[name]
		if !ok {
			return nil, missing(path, name, "the scales of "+e.name+", in the same file")
		}
		done[e.name], done[name] = true, true
		if err := ck.addGroups(path, e, s, data); err != nil {
			return nil, err
		}
	}
	return slices.DeleteFunc(slices.Clone(entries), func(e entry) bool { return done[e.name] }), nil
}

// addGroups adds a matrix as Q8_0: each scale before its 32 weights.
func (ck *Checkpoint) addGroups(path string, w, s entry, data []byte) error {
	if len(w.shape) != 2 || w.shape[1]%groupSize != 0 {
		return malformed(path, w.name, fmt.Sprintf("a matrix of a multiple of %d columns", groupSize), "shape %v of I8", w.shape)
	}
	shape := []int{w.shape[0], w.shape[1] / groupSize}
	if s.typ != F16 || !s.read || !slices.Equal(s.shape, shape) {
		return mismatch(path, s.name, fmt.Sprintf("shape %v of F16, a scale for each group of %s", shape, w.name), "shape %v of %s", s.shape, s.dtype)
	}
	weights, halves := data[w.begin:w.end], data[s.begin:s.end]
	b := make([]byte, 0, len(weights)+len(halves))
	for ; len(weights) > 0; weights, halves = weights[groupSize:], halves[2:] {
		b = append(append(b, halves[:2]...), weights[:groupSize]...)
	}
	joined := entry{name: w.name, dtype: "Q8_0", typ: Q8_0, read: true, shape: w.shape, end: uint64(len(b))}
	return ck.add(path, w.name, joined, b)
}
