package checkpoint

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// Matrices that MLX quantised, as mlx_lm.convert -q writes them: X.weight U32
// [rows, cols*bits/32], the first column in the lowest bits; X.scales and X.biases
// [rows, cols/group]. A value is scale * q + bias, q from 0 to 2^bits - 1.

// Groups is how an Affine tensor is stored: Data has Bits a column, and each Size
// columns of a row have a scale and a bias.
type Groups struct {
	Bits, Size     int
	Scales, Biases Tensor // [rows, cols/Size], F32, F16 or BF16
}

const affineMode = "affine"

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

// affine reads one description of MLX's.
func (f *fields) affine(item string, kv map[string]json.RawMessage) (g Groups, err error) {
	q := &fields{file: f.file, kv: kv}
	mode := or(q, "mode", affineMode)
	g.Bits, g.Size = or(q, "bits", 4), or(q, "group_size", 64)
	switch {
	case q.err != nil:
		return g, q.err
	case mode != affineMode:
		return g, unsupported(f.file, item, fmt.Sprintf("mode %q", mode), affineMode)
	case g.Bits != 4 && g.Bits != 8, g.Size != 32 && g.Size != 64 && g.Size != 128:
		return g, unsupported(f.file, item, fmt.Sprintf("%d bits in groups of %d", g.Bits, g.Size), "4 or 8 bits in groups of 32, 64 or 128")
	}
	return g, nil
}

// pack takes the words of MLX's matrices aside, until every shard is read: their
// scales may be in another. It returns the other entries.
func (ck *Checkpoint) pack(path string, entries []entry, data []byte) (others []entry, err error) {
	for _, e := range entries {
		name, isWeight := strings.CutSuffix(e.name, ".weight")
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
		g, ok := ck.stored.mlx.of[name]
		if !ok {
			g = ck.stored.mlx.all
		}
		rows, words := t.Shape[0], t.Shape[1]
		if words < 1 || words > 1<<40 || words*32%(g.Bits*g.Size) != 0 {
			return mismatch(ck.Path, t.Name, fmt.Sprintf("rows of whole groups of %d columns of %d bits", g.Size, g.Bits), "shape %v of U32", t.Shape)
		}
		t.Shape = []int{rows, words * 32 / g.Bits}
		want := []int{rows, t.Shape[1] / g.Size}
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
	return nil
}

// takeGroups removes a tensor of one value a group from those of the checkpoint.
func (ck *Checkpoint) takeGroups(name, of string, shape []int) (Tensor, error) {
	t, ok := ck.Tensors[name]
	switch {
	case !ok:
		return t, missing(ck.Path, name, "one value for each group of "+of)
	case !slices.Equal(t.Shape, shape) || t.Type == Affine:
		return t, mismatch(ck.Path, name, fmt.Sprintf("shape %v, a value for each group of %s", shape, of), "shape %v", t.Shape)
	}
	delete(ck.Tensors, name)
	return t, nil
}

// readAffine writes rows [from, to) of the matrix to dst, in float32 whatever the
// type of the scales.
func (t Tensor) readAffine(from, to int, dst []float32) error {
	g, b := t.Groups, t.RowBytes()
	_, n := g.Scales.Size()
	scales, biases := make([]float32, n), make([]float32, n)
	for r := from; r < to; r++ {
		if err := cmp.Or(g.Scales.Rows(r, r+1, scales), g.Biases.Rows(r, r+1, biases)); err != nil {
			return err
		}
		src := t.Data[r*b : (r+1)*b]
		for i := range scales {
			y := dst[:g.Size]
			for j := range y {
				var q byte
				if c := i*g.Size + j; g.Bits == 8 {
					q = src[c]
				} else {
					q = src[c/2] >> (c % 2 * 4) & 15
				}
				y[j] = float32(scales[i]*float32(q)) + biases[i]
			}
			dst = dst[g.Size:]
		}
	}
	return nil
}
