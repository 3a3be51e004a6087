package llama

import (
	"fmt"
	"slices"
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

// packed is a matrix that the checkpoint has quantised.
func (l *loader) packed(t checkpoint.Tensor, rows, cols int) mlx.Linear {
	g := t.Groups
	if l.bits != 0 && l.bits != g.Bits {
		l.g.Fail(fmt.Errorf("tensor %s is quantised to %d bits: want one that is not, to quantise it to %d", t.Name, g.Bits, l.bits))
	}
	if !l.has(t, rows, cols) {
		return mlx.Linear{}
	}
	return mlx.Linear{W: l.keep(l.g.FromBytes(t.Data, mlx.Uint32, rows, cols*g.Bits/32)), Scales: l.keep(l.typed(g.Scales)),
		Biases: l.keep(l.typed(g.Biases)), Group: g.Size, Bits: g.Bits}
}

// group is how many columns have a scale and a bias in common, as mlx_lm.convert
// has it.
const group = 64

// product is a matrix of n entries as products take it: a dense one's transpose, a
// view.
func (l *loader) product(y mlx.Linear, n int) mlx.Linear {
	if y.Bits > 0 {
		l.bytes += int64(n)*int64(y.Bits)/8 + 2*l.size(n/y.Group)
		return y
	}
	l.bytes += l.size(n)
	y.W = l.keep(l.g.Transpose(y.W))
	return y
}

func (l *loader) size(n int) int64 {
	if l.dtype == mlx.Float32 {
		return 4 * int64(n)
	}
	return 2 * int64(n)
}

// tensor is a tensor as an array of the model's type, kept.
func (l *loader) tensor(name string, shape ...int) mlx.Array {
	return l.keep(l.array(name, shape...))
}

func (l *loader) array(name string, shape ...int) mlx.Array {
	t, ok := l.ck.Tensors[name]
	if !ok {
		l.g.Fail(fmt.Errorf("no tensor %s: want one of shape %v", name, shape))
	}
	if !l.has(t, shape...) {
		return mlx.Array{}
	}
	return l.typed(t)
}

// has holds t against a shape, and counts its scalars.
func (l *loader) has(t checkpoint.Tensor, shape ...int) bool {
	if !slices.Equal(t.Shape, shape) {
		l.g.Fail(fmt.Errorf("tensor %s has shape %v: want %v", t.Name, t.Shape, shape))
	}
	rows, cols := t.Size()
	l.params += int64(rows) * int64(cols)
	return l.g.Err() == nil
}

// typed is a tensor in the model's type.
func (l *loader) typed(t checkpoint.Tensor) mlx.Array {
	a := l.read(t)
	if l.g.DType(a) != l.dtype {
		a = l.g.AsType(a, l.dtype)
	}
	return a
}

func (l *loader) read(t checkpoint.Tensor) mlx.Array {
	switch t.Type {
	case checkpoint.F32:
		return l.g.FromBytes(t.Data, mlx.Float32, t.Shape...)
	case checkpoint.F16:
		return l.g.FromBytes(t.Data, mlx.Float16, t.Shape...)
	case checkpoint.BF16:
		return l.g.FromBytes(t.Data, mlx.BFloat16, t.Shape...)
	}
	rows, cols := t.Size()
	values := make([]float32, rows*cols)
	if err := t.Float32(values); err != nil {
		l.g.Fail(err)
	}
	return l.g.FromFloats(values, t.Shape...)
}

// drop gives kept arrays back.
func (l *loader) drop(arrays []mlx.Array) {
	l.w.all = slices.DeleteFunc(l.w.all, func(a mlx.Array) bool { return slices.Contains(arrays, a) })
	l.g.Free(arrays...)
}

func (l *loader) keep(a mlx.Array) mlx.Array {
	l.w.all = append(l.w.all, l.g.Keep(a))
	return a
}

// rope gives MLX the theta where it can compute the frequencies itself, as mlx-lm
// does, so that both round alike.
func (l *loader) rope(c checkpoint.Config) mlx.Rope {
	r := mlx.Rope{Dims: c.HeadDim, Base: float32(c.RopeTheta), Scale: 1}
	switch {
	case c.RopeScaling == nil:
	case c.RopeScaling.Type == "linear":
		r.Scale = float32(1 / c.RopeScaling.Factor)
	default:
		periods := make([]float32, c.HeadDim/2)
		for i, f := range c.RopeFrequencies(1) {
			periods[i] = float32(1 / f)
		}
		r.Periods = l.keep(l.g.FromFloats(periods, len(periods)))
	}
	return r
}
