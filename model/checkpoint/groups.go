package checkpoint

import (
	"fmt"
	"slices"
	"strings"
)

// The groups of 32 columns that models of this project are shipped in, X.weight
// beside half-precision X.scales [rows, cols/32]. Of 8 bits: I8 [rows, cols], a value
// being weight * scale. Of 4 bits: U8 [rows, cols/2], columns i and i+16 of a group in
// a byte, i in the low half, and X.mins like X.scales; a value is weight * scale + min.
// These are the numbers of Q8_0 and Q4_1 in several places, so that is what a tensor
// of them becomes.

const (
	groupMethod = "int8-groups"
	groupSize   = 32
	readable    = "F32, F16 or BF16 safetensors, MLX's affine groups, int8-groups of 32, or a GGUF"
)

// A groupKind is how a matrix in groups is stored: the bytes of a group, and what
// stands beside the weights, in the order that a block of typ has.
type groupKind struct {
	typ    DType
	bytes  int
	beside []string
}

var groupKinds = map[string]groupKind{
	"I8": {Q8_0, groupSize, []string{".scales"}},
	"U8": {Q4_1, groupSize / 2, []string{".scales", ".mins"}},
}

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
	named, done := map[string]entry{}, map[string]bool{}
	for _, e := range entries {
		named[e.name] = e
	}
	for _, e := range entries {
		kind, ok := groupKinds[e.dtype]
		name, isWeight := strings.CutSuffix(e.name, ".weight")
		if !ok || !isWeight {
			continue
		}
		parts := []entry{e}
		for _, suffix := range kind.beside {
			part, ok := named[name+suffix]
			if !ok {
				return nil, missing(path, name+suffix, "the "+suffix[1:]+" of "+e.name+", in the same file")
			}
			parts = append(parts, part)
		}
		for _, part := range parts {
			done[part.name] = true
		}
		if err := ck.addGroups(path, kind, parts, data); err != nil {
			return nil, err
		}
	}
	return slices.DeleteFunc(slices.Clone(entries), func(e entry) bool { return done[e.name] }), nil
}

// addGroups adds a matrix as blocks: what stands beside a group, and its weights.
// parts are the weights and then what stands beside them.
func (ck *Checkpoint) addGroups(path string, kind groupKind, parts []entry, data []byte) error {
	w := parts[0]
	if len(w.shape) != 2 || w.shape[1]%kind.bytes != 0 {
		return malformed(path, w.name, fmt.Sprintf("a matrix of a multiple of %d columns", kind.bytes), "shape %v of %s", w.shape, w.dtype)
	}
	rows, groups := w.shape[0], w.shape[1]/kind.bytes
	for _, p := range parts[1:] {
		if p.typ != F16 || !p.read || !slices.Equal(p.shape, []int{rows, groups}) {
			return mismatch(path, p.name, fmt.Sprintf("shape %v of F16, a value for each group of %s", []int{rows, groups}, w.name), "shape %v of %s", p.shape, p.dtype)
		}
	}
	b := make([]byte, 0, rows*groups*kind.typ.BlockBytes())
	for i := range rows * groups {
		for _, p := range parts[1:] {
			b = append(b, data[p.begin:p.end][2*i:2*i+2]...)
		}
		b = append(b, data[w.begin:w.end][kind.bytes*i:kind.bytes*(i+1)]...)
	}
	joined := entry{name: w.name, dtype: kind.typ.String(), typ: kind.typ, read: true, shape: []int{rows, groups * groupSize}, end: uint64(len(b))}
	return ck.add(path, w.name, joined, b)
}
