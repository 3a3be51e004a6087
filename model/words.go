package model

import (
	"fmt"
	"math"
)

// Words are logits of some of a vocabulary's words, in the vocabulary's ids: those of a
// head whose rows are fewer. The others are -Inf.
type Words struct {
	Of    Logits  // [rows, len(IDs)]
	IDs   []Token // of the words, ascending, so that the lowest word is the lowest id
	Vocab int

	best []Token
	few  []float32 // one row of Of
}

// Wait implements Logits.
func (w *Words) Wait() error { return w.Of.Wait() }

// Argmaxes implements Logits.
func (w *Words) Argmaxes() ([]Token, error) {
	best, err := w.Of.Argmaxes()
	w.best = w.best[:0]
	for _, i := range best {
		w.best = append(w.best, w.IDs[i])
	}
	return w.best, err
}

// Read implements Logits.
func (w *Words) Read(row int, dst []float32) error {
	if len(dst) != w.Vocab {
		return fmt.Errorf("model: %d floats for a row of the logits: want %d", len(dst), w.Vocab)
	}
	if w.few == nil {
		w.few = make([]float32, len(w.IDs))
	}
	if err := w.Of.Read(row, w.few); err != nil {
		return err
	}
	for i := range dst {
		dst[i] = float32(math.Inf(-1))
	}
	for i, x := range w.few {
		dst[w.IDs[i]] = x
	}
	return nil
}
