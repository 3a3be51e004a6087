// Package ref is the reference backend: the Llama family in Go. New keeps quantised
// weights as they are and multiplies them as integers (see packed), with vectors
// rounded to int8; NewFloat32 has all weights in float32, and is the oracle that other
// backends are held against.
//
// It is split-invariant: logits and cache are the same to the bit however tokens
// are divided over calls, because every number has one order of summation (see
// kernels). With GOEXPERIMENT=simd on amd64 the kernels are vectors of AVX2 and
// fused multiply-add, and products of packed weights those of AVX-512 where it is
// there; elsewhere they are plain, and what is not a product of packed weights differs
// by rounding: logits of float32 weights by less than 1e-4 of a row's largest on the
// models tested.
package ref

import (
	"fmt"

	"foretoken/model"
	"foretoken/model/checkpoint"
)

// A Model is the weights of a decoder. It is safe for concurrent use.
type Model struct {
	config checkpoint.Config
	real   int
	embed  matrix // [Vocab, Hidden]
	head   matrix // embed, when tied
	norm   []float32
	layers []layer
	turns  turning // of a text of one token; of every text, unless rope changes with its length
	first  int     // rope's position of the first that is cached
	params int64
	how    how
	k, att *kernels // att is for heads, whose width need not be padded
	pool   *pool
}

// New copies a checkpoint's weights, quantised ones as they are where that can be:
// see packed. ck may be closed after. The result is a *Model.
func New(ck *checkpoint.Checkpoint) (model.Model, error) {
	return opened(ck, how{k: fastest(), pool: cores()})
}

// NewFloat32 copies a checkpoint's weights to float32: the oracle, of a quantised
// checkpoint too.
func NewFloat32(ck *checkpoint.Checkpoint) (model.Model, error) {
	return opened(ck, how{floats: true, k: fastest(), pool: cores()})
}

func opened(ck *checkpoint.Checkpoint, how how) (model.Model, error) {
	m, err := build(ck, how)
	if err != nil {
		return nil, err
	}
	return m, nil
}

func build(ck *checkpoint.Checkpoint, how how) (*Model, error) {
	c := ck.Config
	l := &loader{ck: ck, how: how}
	m := newModel(c, how)
	for i := 0; i < c.Layers && l.err == nil; i++ {
		m.layers = append(m.layers, l.layer(fmt.Sprintf("model.layers.%d.", i), c.Hidden))
	}
	if n := len(m.layers); n >= manyLayers && l.err == nil {
		last := &m.layers[n-1]
		last.twice = last.gate.blocked() && last.up.blocked() && last.down.blocked()
	}
	m.norm = l.vector("model.norm.weight", c.Hidden)
	m.embed = l.matrix(c.Hidden, part{"model.embed_tokens.weight", c.Vocab})
	m.head = m.embed
	if !c.TiedHead {
		m.head = l.matrix(c.Hidden, part{"lm_head.weight", c.Vocab})
	}
	m.params = scalars(ck)
	return m, l.err
}

// manyLayers is from how many on the last layer's MLP reads its vectors rounded twice. No
// layer after it makes up for its errors: of SmolLM2's divergence from float32 a fifth
// came from there, for a fiftieth of the arithmetic.
const manyLayers = 16

// newModel is a model without its weights.
func newModel(c checkpoint.Config, how how) *Model {
	m := &Model{config: c, real: c.Vocab, turns: turnsOf(c, 1), how: how, k: how.k, att: how.k, pool: how.pool}
	if c.HeadDim%lanes != 0 {
		m.att = plain
	}
	return m
}

// scalars counts a checkpoint's.
func scalars(ck *checkpoint.Checkpoint) (n int64) {
	for _, t := range ck.Tensors {
		rows, cols := t.Size()
		n += int64(rows) * int64(cols)
	}
	return n
}

// Info implements model.Model.
func (m *Model) Info() model.Info {
	c := m.config
	return model.Info{Name: c.Name, Vocab: c.Vocab, Real: m.real, Layers: len(m.layers), Context: c.Context,
		Parameters: m.params, WeightBytes: m.weightBytes()}
}

// WithReal returns m with the number of ids that its tokenizer has, where that is
// below the rows of its embedding.
func (m *Model) WithReal(ids int) *Model {
	n := *m
	n.real = ids
	return &n
}

// FirstLayers implements model.LayerSkipper.
func (m *Model) FirstLayers(n int) (model.Model, error) {
	if n < 1 || n > len(m.layers) {
		return nil, fmt.Errorf("ref: %s: first %d layers: want 1 to %d", m.config.Name, n, len(m.layers))
	}
	f := *m
	for _, y := range m.layers[n:] {
		f.params -= y.params()
	}
	f.layers = m.layers[:n:n]
	if n < len(m.layers) {
		f.config.Name = fmt.Sprintf("%s[:%d]", m.config.Name, n)
	}
	return &f, nil
}

// weightBytes is what the products of one token read; the embedding's row is
// nothing beside it.
func (m *Model) weightBytes() int64 {
	n := int64(m.head.bytes())
	for _, y := range m.layers {
		for _, w := range y.matrices() {
			n += int64(w.bytes())
		}
	}
	return n
}

func (y layer) matrices() []matrix { return []matrix{y.qkv, y.out, y.gate, y.up, y.down} }

// params counts a layer's scalars.
func (y layer) params() int64 {
	hidden, _ := y.down.size()
	n := 2 * hidden // the norms
	for _, w := range y.matrices() {
		r, c := w.size()
		n += r * c
	}
	n += len(y.qkvBias) + len(y.qNorm) + len(y.kNorm)
	if y.outBias != nil {
		n += hidden
	}
	return int64(n)
}
