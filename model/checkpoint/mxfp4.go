package checkpoint

import (
	"fmt"
	"slices"
)

// MLX's mode mxfp4: X.weight U32 [rows, cols/8], four bits a column, the first in the
// lowest; X.scales U8 [rows, cols/32], the exponent of a power of two. These are the
// numbers of a GGUF's MXFP4 in another order, so that is what such a matrix becomes.

const (
	mxMode   = "mxfp4"
	mxSize   = 32
	mxScales = DType(-1) // of X.scales, while they are among the tensors
)

// unpackMX gives a matrix its scales. scales is the shape that they have.
func (ck *Checkpoint) unpackMX(name string, t Tensor, scales []int) error {
	s, ok := ck.Tensors[name+".scales"]
	switch {
	case !ok:
		return missing(ck.Path, name+".scales", "one value for each group of "+t.Name)
	case s.Type != mxScales || !slices.Equal(s.Shape, scales):
		return mismatch(ck.Path, s.Name, fmt.Sprintf("shape %v of U8, a value for each group of %s", scales, t.Name), "shape %v of %v", s.Shape, s.Type)
	}
	delete(ck.Tensors, s.Name)
	if _, dup := ck.Tensors[t.Name]; dup {
		return malformed(ck.Path, t.Name, "each tensor once", "a second %s", t.Name)
	}
	const half = mxSize / 2
	blocks := make([]byte, 0, len(s.Data)*MXFP4.BlockBytes())
	for i, e := range s.Data {
		q := t.Data[half*i:][:half]
		blocks = append(blocks, e)
		for j := range half { // columns j and j+16 in a byte
			a, b := q[j/2]>>(j%2*4)&15, q[(j+half)/2]>>(j%2*4)&15
			blocks = append(blocks, a|b<<4)
		}
	}
	ck.Tensors[t.Name] = Tensor{Name: t.Name, Type: MXFP4, Shape: t.Shape, Data: blocks}
	return nil
}
