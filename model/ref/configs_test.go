package ref_test

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"

	"foretoken/model"
	"foretoken/model/checkpoint"
	"foretoken/model/ref"
)

// off is the most that a logit may differ from transformers'.
const off = 5e-5

// A configCase is what transformers made of a config: see scripts/golden_models.py.
type configCase struct {
	Family, What string
	Config       json.RawMessage  // of the kept ones
	Tensors      map[string][]int // of the kept ones: their shapes
	IDs          []model.Token
	Rows         int
	Logits       []byte // little-endian float32 [Rows, vocab]; empty where transformers refuses
	Odd          []string
	GGUF         []string // what of the GGUF beside it may be refused; nil: there is none
	Error        string
}

// differ is how far logits are from transformers'. The tokens are divided over calls, and
// some forwarded, trimmed and forwarded again.
func (c configCase) differ(ck *checkpoint.Checkpoint) (worst float64, err error) {
	m, err := ref.NewFloat32(ck)
	if err != nil {
		return 0, err
	}
	s, err := m.NewSession()
	if err != nil {
		return 0, err
	}
	defer s.Close()
	row := make([]float32, m.Info().Vocab)
	if len(c.Logits) != 4*c.Rows*len(row) {
		return 0, fmt.Errorf("%d bytes of logits for %d rows of %d", len(c.Logits), c.Rows, len(row))
	}
	first := len(c.IDs) - c.Rows
	for from, i := 0, 0; from < len(c.IDs); i++ {
		to := min(from+1+i*5%7, len(c.IDs))
		if _, err := s.Forward(c.IDs[from:min(to+3, len(c.IDs))], 0); err != nil {
			return 0, err
		}
		if err := s.Trim(from); err != nil {
			return 0, err
		}
		l, err := s.Forward(c.IDs[from:to], to-from)
		if err != nil {
			return 0, err
		}
		for r := range to - from {
			if from+r < first {
				continue
			}
			if err := l.Read(r, row); err != nil {
				return 0, err
			}
			worst = max(worst, apart(row, c.Logits[4*(from+r-first)*len(row):]))
		}
		from = to
	}
	return worst, nil
}

func apart(row []float32, want []byte) (worst float64) {
	for i, x := range row {
		w := math.Float32frombits(binary.LittleEndian.Uint32(want[4*i:]))
		worst = max(worst, math.Abs(float64(x)-float64(w)))
	}
	return worst
}
