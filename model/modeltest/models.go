package modeltest

import (
	"fmt"

	"foretoken/model"
)

// Markov is a model whose logits depend on the last token alone: Rows[t] are the
// logits after t.
type Markov struct {
	Rows  [][]float32
	Early [][]float32 // what its first layer alone would say; nil: it has no layers
}

// Info implements model.Model.
func (m Markov) Info() model.Info {
	info := model.Info{Name: "markov", Vocab: len(m.Rows[0]), Real: len(m.Rows)}
	if m.Early != nil {
		info.Layers = 2
	}
	return info
}

// NewSession implements model.Model.
func (m Markov) NewSession() (model.Session, error) {
	row := func(last model.Token, _ uint64) []float32 { return m.Rows[last] }
	return newSession(m.Info(), row), nil
}

// FirstLayers implements model.LayerSkipper.
func (m Markov) FirstLayers(n int) (model.Model, error) {
	if n != 1 || m.Early == nil {
		return nil, fmt.Errorf("modeltest: %d layers of %d", n, m.Info().Layers)
	}
	return Markov{Rows: m.Early}, nil
}

// Hash is a model whose logits depend on every entry of its cache. Salt makes
// another model of it.
type Hash struct {
	Vocab, Real int
	Salt        uint64
	Layers      int // each adds to the logits; 0 is one
	Context     int // 0 is no limit
}

// Info implements model.Model.
func (h Hash) Info() model.Info {
	return model.Info{Name: "hash", Vocab: h.Vocab, Real: h.Real, Layers: max(1, h.Layers), Context: h.Context}
}

// NewSession implements model.Model.
func (h Hash) NewSession() (model.Session, error) {
	row := func(_ model.Token, state uint64) []float32 { return h.row(state) }
	return newSession(h.Info(), row), nil
}

// FirstLayers implements model.LayerSkipper.
func (h Hash) FirstLayers(n int) (model.Model, error) {
	if n < 1 || n > h.Info().Layers {
		return nil, fmt.Errorf("modeltest: %d layers of %d", n, h.Info().Layers)
	}
	h.Layers = n
	return h, nil
}

// row gives logits in [0, 4 per layer), whole multiples of 2^-22.
func (h Hash) row(state uint64) []float32 {
	row := make([]float32, h.Vocab)
	for layer := range h.Info().Layers {
		x := state ^ h.Salt + uint64(layer)<<32
		for i := range row {
			x = x*6364136223846793005 + 1442695040888963407
			row[i] += float32(x>>40) * 0x1p-22
		}
	}
	return row
}

const seed = uint64(14695981039346656037)

// step is FNV-1a over a token at a position.
func step(x uint64, t model.Token, pos int) uint64 {
	return (x ^ uint64(t) ^ uint64(pos)<<20) * 1099511628211
}
