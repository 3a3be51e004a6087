// Package llama runs the Llama family on MLX: the models that model/ref runs, held
// against it.
//
// MLX is not split-invariant: it picks a kernel by the number of rows, so that a
// row among five differs from the same row alone by rounding. What that comes to is
// stated in the tests.
package llama

import (
	"fmt"

	"foretoken/mlx"
	"foretoken/model"
	"foretoken/model/checkpoint"
)

// Options are choices that a checkpoint leaves open. The zero value is none.
type Options struct {
	// DType is what weights, cache and arithmetic are in; 0 is the checkpoint's
	// own, float32 for a GGUF's blocks.
	DType mlx.DType
	// Bits, 4 or 8, quantises the matrices as mlx_lm.convert -q does; 0 leaves them
	// as they are stored, quantised by MLX or not.
	Bits int
	// KVBits, 4 or 8, quantises what is cached, as mlx-lm's kv_bits does; 0 leaves it.
	// A head must be a multiple of 32.
	KVBits int
	// Choose builds distributions on the device, which then reads back what their
	// filters leave and no row. It pays where a row is far from the host.
	Choose bool
	// Real is how many of the embedding's rows are words; 0 is all.
	Real int
}

// A Model is the weights of a decoder, on MLX's device. It is safe for concurrent
// use.
type Model struct {
	engine *mlx.Engine
	config checkpoint.Config
	real   int
	dtype  mlx.DType
	choose bool
	kv     kv
	w      *weights
	ids    int // rows of the embedding
	first  int // rope's position of the first that is cached
	layers []layer
	steps  []*mlx.Function // see newSteps
	params int64
	bytes  int64 // of matrices that a token reads
}

// New copies a checkpoint's weights to the device; ck may be closed after.
func New(e *mlx.Engine, ck *checkpoint.Checkpoint, o Options) (*Model, error) {
	m := &Model{engine: e, config: ck.Config, real: o.Real, dtype: o.DType, choose: o.Choose}
	if m.real == 0 {
		m.real = ck.Config.Vocab
	}
	if m.dtype == 0 {
		m.dtype = stored(ck)
	}
	if m.config.RopeChanges() {
		return nil, fmt.Errorf("mlx: %s: %s rope, whose angles change with the length of the text: want another, or the engine ref", ck.Path, m.config.RopeScaling.Type)
	}
	var err error
	if err = e.Quantised(m.dtype, groups(ck, o.Bits)); err != nil {
		return nil, fmt.Errorf("mlx: %s: %w", ck.Path, err)
	}
	if m.kv, err = newKV(m.config, m.dtype, o.KVBits); err != nil {
		return nil, fmt.Errorf("mlx: %s: %w", ck.Path, err)
	}
	l := &loader{ck: ck, config: ck.Config, dtype: m.dtype, bits: o.Bits, w: &weights{}}
	if err = e.Run(l.load); err != nil {
		e.Free(l.w.all...)
		return nil, fmt.Errorf("mlx: %s: %w", ck.Path, err)
	}
	m.w, m.ids, m.layers, m.params = l.w, m.config.Vocab, l.w.layers, l.params
	m.bytes = l.bytes
	m.newSteps()
	return m, nil
}

// groups is the largest group of quantised weights, of a checkpoint's own or of those that
// are made with bits; 0 where there are none.
func groups(ck *checkpoint.Checkpoint, bits int) (largest int) {
	if bits != 0 {
		largest = group
	}
	for _, t := range ck.Tensors {
		if t.Groups != nil {
			largest = max(largest, t.Groups.Size)
		}
	}
	return largest
}

// stored is the type of a checkpoint's matrices.
func stored(ck *checkpoint.Checkpoint) mlx.DType {
	t := ck.Tensors["model.embed_tokens.weight"]
	if t.Groups != nil {
		t = t.Groups.Scales
	}
	switch t.Type {
	case checkpoint.F16:
		return mlx.Float16
	case checkpoint.BF16:
		return mlx.BFloat16
	}
	return mlx.Float32
}

// Info implements model.Model.
func (m *Model) Info() model.Info {
	c := m.config
	return model.Info{Name: c.Name, Vocab: c.Vocab, Real: m.real, Layers: len(m.layers), Context: c.Context,
		Parameters: m.params, WeightBytes: m.bytes}
}

// FirstLayers implements model.LayerSkipper. The result lives as long as m.
func (m *Model) FirstLayers(n int) (model.Model, error) {
	if n < 1 || n > len(m.layers) {
		return nil, fmt.Errorf("mlx: %s: first %d layers: want 1 to %d", m.config.Name, n, len(m.layers))
	}
	f := *m
	for _, y := range m.layers[n:] {
		f.params -= y.params
		f.bytes -= y.bytes
	}
	f.layers = m.layers[:n:n]
	if n < len(m.layers) {
		f.steps = append(m.steps[:n:n], m.lastStep(n-1))
		m.w.owns(f.steps[n])
		f.config.Name = fmt.Sprintf("%s[:%d]", m.config.Name, n)
	}
	return part{&f}, nil
}

// A part is first layers, whose weights another model closes.
type part struct{ m *Model }

func (p part) model() *Model                          { return p.m }
func (p part) Info() model.Info                       { return p.m.Info() }
func (p part) NewSession() (model.Session, error)     { return p.m.NewSession() }
func (p part) FirstLayers(n int) (model.Model, error) { return p.m.FirstLayers(n) }

// Close frees the weights. Sessions, and models of first layers, are not used after
// it.
func (m *Model) Close() error {
	m.w.free(m.engine)
	return nil
}
