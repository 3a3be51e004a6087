package model

import (
	"encoding/binary"
	"fmt"
	"math"
)

// A Row is Logits of one row that lies in memory, [Vocab].
type Row []float32

// RowOf reads a row as raw float32, little-endian.
func RowOf(data []byte) (Row, error) {
	if len(data)%4 != 0 {
		return nil, fmt.Errorf("%d bytes, want a multiple of 4: little-endian float32", len(data))
	}
	row := make(Row, len(data)/4)
	for i := range row {
		row[i] = math.Float32frombits(binary.LittleEndian.Uint32(data[4*i:]))
	}
	return row, nil
}

// Wait implements Logits.
func (Row) Wait() error { return nil }

// View implements RowView.
func (r Row) View(int) ([]float32, error) { return r, nil }

// Read implements Logits.
func (r Row) Read(_ int, dst []float32) error { copy(dst, r); return nil }

// Argmaxes implements Logits. Where the best is no finite logit, or one is NaN, it
// gives len(r), which is no id: whoever asked then reads the row, and says what is
// wrong with it.
func (r Row) Argmaxes() ([]Token, error) {
	best := 0
	for i, v := range r {
		if v != v {
			return []Token{Token(len(r))}, nil
		}
		if v > r[best] {
			best = i
		}
	}
	if len(r) > 0 && math.IsInf(float64(r[best]), 0) {
		best = len(r)
	}
	return []Token{Token(best)}, nil
}
