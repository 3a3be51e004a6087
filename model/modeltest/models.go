package modeltest

import "foretoken/model"

// Markov is a model whose logits depend on the last token alone: Rows[t] are the
// logits after t.
type Markov struct{ Rows [][]float32 }

// Info implements model.Model.
func (m Markov) Info() model.Info {
	return model.Info{Name: "markov", Vocab: len(m.Rows[0]), Real: len(m.Rows)}
}

// NewSession implements model.Model.
func (m Markov) NewSession() (model.Session, error) {
	row := func(last model.Token, _ uint64) []float32 { return m.Rows[last] }
	return &session{row: row, base: -1}, nil
}

// Hash is a model whose logits depend on every entry of its cache. Salt makes
// another model of it.
type Hash struct {
	Vocab, Real int
	Salt        uint64
}

// Info implements model.Model.
func (h Hash) Info() model.Info {
	return model.Info{Name: "hash", Vocab: h.Vocab, Real: h.Real}
}

// NewSession implements model.Model.
func (h Hash) NewSession() (model.Session, error) {
	row := func(_ model.Token, state uint64) []float32 { return h.row(state) }
	return &session{row: row, base: -1}, nil
}

// row gives logits in [0, 4).
func (h Hash) row(state uint64) []float32 {
	x := state ^ h.Salt
	row := make([]float32, h.Vocab)
	for i := range row {
		x = x*6364136223846793005 + 1442695040888963407
		row[i] = float32(x>>40) * 0x1p-22
	}
	return row
}

const seed = uint64(14695981039346656037)

// step is FNV-1a over a token at a position.
func step(x uint64, t model.Token, pos int) uint64 {
	return (x ^ uint64(t) ^ uint64(pos)<<20) * 1099511628211
}
