package ref

import (
	"fmt"
	"slices"
	"sync"

	"foretoken/model/checkpoint"
)

// A layer is one decoder layer. Vectors that a family does not have are nil.
type layer struct {
	attnNorm     []float32
	qkv, out     matrix // q, k and v one below the other
	qkvBias      []float32
	outBias      []float32
	qNorm, kNorm []float32 // over one head
	mlpNorm      []float32
	gate, up     matrix
	down         matrix
	twice        bool // what the MLP reads is rounded twice: see rest
}

// A loader copies a checkpoint's tensors to matrices.
type loader struct {
	ck    *checkpoint.Checkpoint
	how   how
	arena arena
	err   error // the first
}

// how is the ways that a model is made and runs.
type how struct {
	floats bool // quantised weights become float32
	k      *kernels
	pool   *pool
}

func (l *loader) tensor(name string, shape ...int) (checkpoint.Tensor, bool) {
	t, ok := l.ck.Tensors[name]
	switch {
	case l.err != nil:
	case !ok:
		l.err = fmt.Errorf("ref: %s: no tensor %s: want one of shape %v", l.ck.Path, name, shape)
	case !slices.Equal(t.Shape, shape):
		l.err = fmt.Errorf("ref: %s: tensor %s has shape %v: want %v", l.ck.Path, name, t.Shape, shape)
	}
	return t, l.err == nil
}

// vector reads a tensor of one dimension, padded with zeros.
func (l *loader) vector(name string, n int) []float32 {
	x := make([]float32, padded(n))
	if t, ok := l.tensor(name, n); ok {
		err := t.Float32(x[:n])
		if err == nil {
			err = allFinite(name, x[:n])
		}
		if err != nil {
			l.err = fmt.Errorf("ref: %s: %w", l.ck.Path, err)
		}
	}
	return x
}

// matrix reads tensors of cols columns, one below the other.
func (l *loader) matrix(cols int, parts ...part) matrix {
	rows := 0
	var tensors []checkpoint.Tensor
	for _, p := range parts {
		rows += p.rows
		if t, ok := l.tensor(p.name, p.rows, cols); ok {
			tensors = append(tensors, t)
		}
	}
	if l.err != nil {
		return nil
	}
	if p := l.packed(rows, cols, tensors); p != nil {
		return p
	}
	d := newDense(rows, cols, l.arena.take(denseFloats(rows, cols)), l.how.k)
	at := 0
	for _, t := range tensors {
		if err := fill(d, at, t); err != nil {
			l.err = fmt.Errorf("ref: %s: %w", l.ck.Path, err)
		}
		at += t.Shape[0]
	}
	return d
}

// packed keeps quantised tensors as they are; nil where that cannot be, or was not
// asked for.
func (l *loader) packed(rows, cols int, tensors []checkpoint.Tensor) *packed {
	f, ok := formatOf(tensors)
	if l.how.floats || !ok || cols%blockCols != 0 {
		return nil
	}
	n := packedBytes(f, rows, cols)
	p := newPacked(rows, cols, f, asBytes(l.arena.take(n/4)), l.how.k, l.how.pool.workers)
	if !p.pack(tensors, l.how.pool) {
		return nil
	}
	return p
}

// A part of a matrix is a tensor.
type part struct {
	name string
	rows int
}

// fill stores the rows of t in d from row at on, on all cores.
func fill(d *dense, at int, t checkpoint.Tensor) error {
	const some = 64
	rows, _ := t.Size()
	errs := make(chan error, rows/some+1)
	var wg sync.WaitGroup
	limit := make(chan struct{}, cores().workers)
	for from := 0; from < rows; from += some {
		limit <- struct{}{}
		wg.Go(func() {
			defer func() { <-limit }()
			to := min(from+some, rows)
			buf := make([]float32, (to-from)*d.cols)
			err := t.Rows(from, to, buf)
			if err == nil {
				err = allFinite(fmt.Sprintf("%s, rows %d to %d", t.Name, from, to-1), buf)
			}
			if err != nil {
				errs <- err
				return
			}
			for i := from; i < to; i++ {
				d.set(at+i, buf[(i-from)*d.cols:][:d.cols])
			}
		})
	}
	wg.Wait()
	close(errs)
	return <-errs
}

// allFinite refuses the first value that no product can hold.
func allFinite(what string, x []float32) error {
	for i, f := range x {
		if !finite(f) {
			return fmt.Errorf("tensor %s: value %d is %v, want finite numbers", what, i, f)
		}
	}
	return nil
}

// layer reads the layer whose tensors begin with a prefix; q, k and v read in floats.
func (l *loader) layer(prefix string, in int) layer {
	c := l.ck.Config
	name := func(s string) string { return prefix + s }
	q, kv := c.Heads*c.HeadDim, c.KVHeads*c.HeadDim
	y := layer{
		attnNorm: l.vector(name("input_layernorm.weight"), c.Hidden),
		qkv: l.matrix(in, part{name("self_attn.q_proj.weight"), q}, part{name("self_attn.k_proj.weight"), kv},
			part{name("self_attn.v_proj.weight"), kv}),
		out:     l.matrix(q, part{name("self_attn.o_proj.weight"), c.Hidden}),
		mlpNorm: l.vector(name("post_attention_layernorm.weight"), c.Hidden),
		gate:    l.matrix(c.Hidden, part{name("mlp.gate_proj.weight"), c.Intermediate}),
		up:      l.matrix(c.Hidden, part{name("mlp.up_proj.weight"), c.Intermediate}),
		down:    l.matrix(c.Intermediate, part{name("mlp.down_proj.weight"), c.Hidden}),
	}
	if c.QKVBias {
		y.qkvBias = slices.Concat(l.vector(name("self_attn.q_proj.bias"), q)[:q],
			l.vector(name("self_attn.k_proj.bias"), kv)[:kv], l.vector(name("self_attn.v_proj.bias"), kv)[:kv])
	}
	if c.OutputBias {
		y.outBias = l.vector(name("self_attn.o_proj.bias"), c.Hidden)
	}
	if c.QKNorm {
		y.qNorm = l.vector(name("self_attn.q_norm.weight"), c.HeadDim)[:c.HeadDim]
		y.kNorm = l.vector(name("self_attn.k_norm.weight"), c.HeadDim)[:c.HeadDim]
	}
	return y
}
