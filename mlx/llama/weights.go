package llama

import (
	"fmt"
	"sync"

	"foretoken/mlx"
	"foretoken/model/checkpoint"
)

// weights are the arrays of a model. What a family does not have is none.
type weights struct {
	embed  mlx.Linear // [Vocab, Hidden], of which rows are taken
	head   mlx.Linear
	norm   mlx.Array
	rope   mlx.Rope
	layers []layer
	all    []mlx.Array // to be freed

	late struct { // what is made of these weights later, and goes with them
		sync.Mutex
		heads     []*weights
		functions []*mlx.Function
	}
}

// owns makes functions go with w.
func (w *weights) owns(functions ...*mlx.Function) {
	w.late.Lock()
	defer w.late.Unlock()
	w.late.functions = append(w.late.functions, functions...)
}

func (w *weights) free(e *mlx.Engine) {
	w.late.Lock()
	defer w.late.Unlock()
	for _, h := range w.late.heads {
		h.free(e)
	}
	e.Forget(w.late.functions...)
	e.Free(w.all...)
	w.all, w.late.functions, w.late.heads = nil, nil, nil
}

// A layer is one decoder layer.
type layer struct {
	attnNorm, mlpNorm mlx.Array
	qkv, gateUp       stack
	out, down         mlx.Linear
	qNorm, kNorm      mlx.Array // over one head
	params, bytes     int64
}

// A loader copies a checkpoint's tensors to arrays of one type.
type loader struct {
	ck     *checkpoint.Checkpoint
	config checkpoint.Config
	dtype  mlx.DType
	bits   int // of quantised matrices; 0: they are dense
	g      *mlx.Graph
	w      *weights
	params int64
	bytes  int64
}

func (l *loader) load(g *mlx.Graph) {
	l.g = g
	c := l.config
	l.w.rope = l.rope(c)
	for i := 0; i < c.Layers && g.Err() == nil; i++ {
		l.w.layers = append(l.w.layers, l.layer(fmt.Sprintf("model.layers.%d.", i), c.Hidden))
		g.Eval(l.w.all...) // so that what it was read into can go
	}
	l.w.norm = l.tensor("model.norm.weight", c.Hidden)
	l.w.embed = l.matrix("model.embed_tokens.weight", c.Vocab, c.Hidden)
	if c.TiedHead {
		l.w.head = l.product(l.w.embed, c.Vocab*c.Hidden)
	} else {
		l.w.head = l.linear("lm_head", c.Hidden, c.Vocab, false)
	}
	g.Eval(l.w.all...)
}

// layer is the layer whose tensors begin with p; q, k and v read in numbers.
func (l *loader) layer(p string, in int) layer {
	c := l.config
	q, kv := c.Heads*c.HeadDim, c.KVHeads*c.HeadDim
	params, bytes := l.params, l.bytes
	y := layer{
		attnNorm: l.tensor(p+"input_layernorm.weight", c.Hidden),
		qkv:      l.stack([]string{p + "self_attn.q_proj", p + "self_attn.k_proj", p + "self_attn.v_proj"}, []int{q, kv, kv}, in, c.QKVBias),
		out:      l.linear(p+"self_attn.o_proj", q, c.Hidden, c.OutputBias),
		mlpNorm:  l.tensor(p+"post_attention_layernorm.weight", c.Hidden),
		gateUp:   l.stack([]string{p + "mlp.gate_proj", p + "mlp.up_proj"}, []int{c.Intermediate, c.Intermediate}, c.Hidden, false),
		down:     l.linear(p+"mlp.down_proj", c.Intermediate, c.Hidden, false),
	}
	if c.QKNorm {
		y.qNorm = l.tensor(p+"self_attn.q_norm.weight", c.HeadDim)
		y.kNorm = l.tensor(p+"self_attn.k_norm.weight", c.HeadDim)
	}
	y.params, y.bytes = l.params-params, l.bytes-bytes
	return y
}

// linear is a matrix as products take it.
func (l *loader) linear(name string, in, out int, bias bool) mlx.Linear {
	y := l.product(l.matrix(name+".weight", out, in), in*out)
	if bias {
		y.Bias = l.tensor(name+".bias", out)
	}
	return y
}

// matrix is a matrix as it is stored, or quantised in groups of its rows.
func (l *loader) matrix(name string, rows, cols int) mlx.Linear {
	if t := l.ck.Tensors[name]; t.Groups != nil {
		return l.packed(t, rows, cols)
	}
	w := l.array(name, rows, cols)
	if l.bits == 0 {
		return mlx.Linear{W: l.keep(w)}
	}
	if cols%group != 0 {
		l.g.Fail(fmt.Errorf("tensor %s has rows of %d: want a multiple of %d, to quantise it", name, cols, group))
	}
	q, scales, biases := l.g.Quantize(w, group, l.bits)
	return mlx.Linear{W: l.keep(q), Scales: l.keep(scales), Biases: l.keep(biases), Group: group, Bits: l.bits}
}
