package checkpoint

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// Matrices that MLX quantised, as mlx_lm.convert -q writes them: X.weight U32
// [rows, cols*bits/32], a row's bits in one run, the first column in the lowest;
// X.scales and X.biases [rows, cols/group]. A value is scale * q + bias, q from 0 to
// 2^bits - 1. In the mode mxfp4 there are no biases: see mxfp4.go.

// Groups is how an Affine tensor is stored: Data has Bits a column, and each Size
// columns of a row have a scale and a bias.
type Groups struct {
	Bits, Size     int
	Scales, Biases Tensor // [rows, cols/Size], F32, F16 or BF16

	mode string // "" is affine
}

const affineMode = "affine"

// affineBits are those that MLX has.
var affineBits = []int{2, 3, 4, 5, 6, 8}

// An affine is config.json's quantization of MLX.
type affine struct {
	file string
	all  Groups            // of every matrix that is quantised
	of   map[string]Groups // of those that have their own, by module
}

// quantisation is how config.json says that matrices are stored: in groups of int8,
// quantised by MLX, or neither.
type quantisation struct {
	int8 bool
	mlx  *affine
}

// quantisation reads config.json's quantization.
func (f *fields) quantisation() (q quantisation, err error) {
	all, ok := get[map[string]json.RawMessage](f, "quantization")
	if f.err != nil || !ok {
		return q, f.err
	}
	if _, ok := all["method"]; ok {
		q.int8, err = f.groups()
		return q, err
	}
	q.mlx = &affine{file: f.file, of: map[string]Groups{}}
	if q.mlx.all, err = f.affine("quantization", all); err != nil {
		return q, err
	}
	for name, raw := range all {
		var own map[string]json.RawMessage
		if raw[0] != '{' { // a value of the whole, or whether a module is quantised: its tensors say
			continue
		}
		if err := json.Unmarshal(raw, &own); err != nil {
			return q, malformed(f.file, "quantization."+name, "bits and group_size", "%.40s", raw)
		}
		if q.mlx.of[name], err = f.affine("quantization."+name, own); err != nil {
			return q, err
		}
	}
	return q, nil
}

// groups is how a module is quantised, if it is.
func (a *affine) groups(module string) Groups {
	if g, ok := a.of[module]; ok {
		return g
	}
	return a.all
}

// affine reads one description of MLX's.
func (f *fields) affine(item string, kv map[string]json.RawMessage) (g Groups, err error) {
	q := &fields{file: f.file, kv: kv}
	mode := or(q, "mode", affineMode)
	g.Bits, g.Size = or(q, "bits", 4), or(q, "group_size", map[string]int{affineMode: 64, mxMode: mxSize}[mode])
	switch {
	case q.err != nil:
		return g, q.err
	case mode == mxMode && g.Bits == 4 && g.Size == mxSize:
		g.mode = mode
	case mode == mxMode:
		return g, unsupported(f.file, item, fmt.Sprintf("%s of %d bits in groups of %d", mode, g.Bits, g.Size), "4 bits in groups of 32")
	case mode != affineMode:
		return g, unsupported(f.file, item, fmt.Sprintf("mode %q", mode), affineMode+" or "+mxMode)
	case !slices.Contains(affineBits, g.Bits), g.Size != 32 && g.Size != 64 && g.Size != 128:
		return g, unsupported(f.file, item, fmt.Sprintf("%d bits in groups of %d", g.Bits, g.Size), "2, 3, 4, 5, 6 or 8 bits in groups of 32, 64 or 128")
	}
	return g, nil
}

// pack takes the words of MLX's matrices aside, until every shard is read: their
// scales may be in another. It returns the other entries.
func (ck *Checkpoint) pack(path string, entries []entry, data []byte) (others []entry, err error) {
	for _, e := range entries {
		name, isWeight := strings.CutSuffix(e.name, ".weight")
		if name, ok := strings.CutSuffix(e.name, ".scales"); ok && e.dtype == "U8" && ck.stored.mlx.groups(name).mode == mxMode {
			e.typ, e.read = mxScales, true // until unpack has them
		}
		if e.dtype != "U32" || !isWeight {
			others = append(others, e)
			continue
		}
		switch _, dup := ck.packed[name]; {
		case len(e.shape) != 2:
			return nil, malformed(path, e.name, "a matrix", "shape %v of U32", e.shape)
		case dup:
			return nil, malformed(path, e.name, "each tensor once", "a second %s", e.name)
		}
		ck.packed[name] = Tensor{Name: e.name, Type: Affine, Shape: e.shape, Data: data[e.begin:e.end:e.end]}
	}
	return others, nil
}

// unpack gives each of MLX's matrices its scales and biases.
func (ck *Checkpoint) unpack() error {
	for name, t := range ck.packed {
		g := ck.stored.mlx.groups(name)
		rows, words := t.Shape[0], t.Shape[1]
		if words < 1 || words > 1<<40 || words*32%(g.Bits*g.Size) != 0 {
			return mismatch(ck.Path, t.Name, fmt.Sprintf("rows of whole groups of %d columns of %d bits", g.Size, g.Bits), "shape %v of U32", t.Shape)
		}
		t.Shape = []int{rows, words * 32 / g.Bits}
		want := []int{rows, t.Shape[1] / g.Size}
		if g.mode == mxMode {
			if err := ck.unpackMX(name, t, want); err != nil {
				return err
			}
			continue
		}
		var err error
		if g.Scales, err = ck.takeGroups(name+".scales", t.Name, want); err == nil {
			g.Biases, err = ck.takeGroups(name+".biases", t.Name, want)
		}
		if err == nil && g.Scales.Type != g.Biases.Type {
			err = mismatch(ck.Path, g.Biases.Name, g.Scales.Type.String()+", the type of the scales", "%v", g.Biases.Type)
		}
		if _, dup := ck.Tensors[t.Name]; dup && err == nil {
			err = malformed(ck.Path, t.Name, "each tensor once", "a second %s", t.Name)
		}
		if err != nil {
			return err
		}
		t.Groups = &g
		ck.Tensors[t.Name] = t
	}
	ck.packed = nil
	for name, t := range ck.Tensors {
		if t.Type == mxScales {
			return missing(ck.Path, strings.TrimSuffix(name, "scales")+"weight", "the matrix of "+name)
		}
	}
	return nil
}

// takeGroups removes a tensor of one value a group from those of the checkpoint.
func (ck *Checkpoint) takeGroups(name, of string, shape []int) (Tensor, error) {
	t, ok := ck.Tensors[name]
	switch {
	case !ok:
		return t, missing(ck.Path, name, "one value for each group of "+of)
	case !slices.Equal(t.Shape, shape) || t.Type == Affine || t.Type == mxScales:
		return t, mismatch(ck.Path, name, fmt.Sprintf("shape %v, a value for each group of %s", shape, of), "shape %v", t.Shape)
	}
	delete(ck.Tensors, name)
	return t, nil
}
