package checkpoint

import (
	"bytes"
	"fmt"
	"math/bits"
	"slices"
)

// A Tensor is a named array on disk. Data is the file's own bytes, mapped or
// read, and must not be written; it lives as long as its Checkpoint. Only the
// rows of a llama GGUF's q and k are a copy, in another order than the file's, and
// groups of int8, which become Q8_0.
type Tensor struct {
	Name  string
	Type  DType
	Shape []int // row-major, outermost first
	Data  []byte

	Groups *Groups // of an Affine tensor, else nil
}

// Size is the shape of t as a matrix: a vector is one row.
func (t Tensor) Size() (rows, cols int) {
	if len(t.Shape) == 0 {
		return 1, 1
	}
	cols = t.Shape[len(t.Shape)-1]
	rows = 1
	for _, n := range t.Shape[:len(t.Shape)-1] {
		rows *= n
	}
	return rows, cols
}

// RowBytes is the length in Data of one row of the matrix.
func (t Tensor) RowBytes() int {
	_, cols := t.Size()
	if t.Groups != nil {
		return cols * t.Groups.Bits / 8
	}
	return cols / t.Type.Block() * t.Type.BlockBytes()
}

// Float32 writes all of t to dst, which has its length. Blocks are read with the
// very operations of llama.cpp's dequantize_row functions, so that the values are
// the same to the bit.
func (t Tensor) Float32(dst []float32) error {
	rows, _ := t.Size()
	return t.Rows(0, rows, dst)
}

// Rows writes rows [from, to) of the matrix to dst, which has their length. It may
// be called from many goroutines.
func (t Tensor) Rows(from, to int, dst []float32) error {
	rows, cols := t.Size()
	if from < 0 || to < from || to > rows {
		return fmt.Errorf("checkpoint: %s: rows [%d, %d): want them within [0, %d)", t.Name, from, to, rows)
	}
	if len(dst) != (to-from)*cols {
		return fmt.Errorf("checkpoint: %s: rows [%d, %d): dst has length %d: want %d", t.Name, from, to, len(dst), (to-from)*cols)
	}
	if t.Groups != nil {
		return t.readAffine(from, to, dst)
	}
	b := t.RowBytes()
	layouts[t.Type].read(dst, t.Data[from*b:to*b])
	return nil
}

// same is whether t has the bytes of u, stored alike.
func (t Tensor) same(u Tensor) bool {
	if t.Type != u.Type || !slices.Equal(t.Shape, u.Shape) || !bytes.Equal(t.Data, u.Data) || (t.Groups == nil) != (u.Groups == nil) {
		return false
	}
	if t.Groups == nil {
		return true
	}
	a, b := t.Groups, u.Groups
	return a.Bits == b.Bits && a.Size == b.Size && a.Scales.same(b.Scales) && a.Biases.same(b.Biases)
}

// size is the length in bytes of a tensor; ok is false when it does not fit an
// int, or a row is no whole number of blocks.
func size(d DType, shape []int) (n int, ok bool) {
	elements := uint64(1)
	for _, s := range shape {
		hi, lo := bits.Mul64(elements, uint64(s))
		if s < 0 || hi != 0 {
			return 0, false
		}
		elements = lo
	}
	if cols := (Tensor{Shape: shape}).lastAxis(); cols%d.Block() != 0 {
		return 0, false
	}
	hi, lo := bits.Mul64(elements/uint64(d.Block()), uint64(d.BlockBytes()))
	if hi != 0 || int(lo) < 0 || uint64(int(lo)) != lo || uint64(int(elements)) != elements || int(elements) < 0 {
		return 0, false
	}
	return int(lo), true
}

func (t Tensor) lastAxis() int {
	if len(t.Shape) == 0 {
		return 1
	}
	return t.Shape[len(t.Shape)-1]
}
