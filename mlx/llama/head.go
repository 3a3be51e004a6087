package llama

import (
	"fmt"

	"foretoken/mlx"
	"foretoken/model"
	"foretoken/model/checkpoint"
)

// A Head is an EAGLE-3 head (Li et al. 2025), as model/ref describes it, whose states
// never leave the device. It is safe for concurrent use.
type Head struct {
	layer     *Model // the layer and its lm_head, over the target's embedding
	target    *Model
	fc        mlx.Linear // [Hidden, taps*Hidden]
	tokenNorm mlx.Array
	entry     [2]*mlx.Function // to the layer's attention: from a target's states, and from its own
	taps      []int
	words     []model.Token // ids of the rows of lm_head, ascending
	table     mlx.Array     // the same, on the device
}

// modeller is a model of this backend, or first layers of one.
type modeller interface{ model() *Model }

func (m *Model) model() *Model { return m }

// NewHead copies the weights of a head for target, in its type; h may be closed after.
// They are freed with the target's. A target of another backend, or one whose sizes do
// not fit, is refused.
func NewHead(h *checkpoint.Head, target model.Model) (*Head, error) {
	of, ok := target.(modeller)
	if !ok {
		return nil, fmt.Errorf("mlx: head %s: its target is a %T: want a model of this backend", h.Path, target)
	}
	t := of.model()
	c := h.Config
	switch last := h.Taps[len(h.Taps)-1]; {
	case c.Hidden != t.config.Hidden:
		return nil, fmt.Errorf("mlx: head %s: hidden size %d: want %d, that of %s", h.Path, c.Hidden, t.config.Hidden, t.config.Name)
	case c.Vocab != t.config.Vocab:
		return nil, fmt.Errorf("mlx: head %s: for a vocabulary of %d: want %d, that of %s", h.Path, c.Vocab, t.config.Vocab, t.config.Name)
	case last > len(t.layers):
		return nil, fmt.Errorf("mlx: head %s: states after %v layers: want at most %d, the layers of %s", h.Path, h.Taps, len(t.layers), t.config.Name)
	}
	x := &Head{target: t, taps: h.Taps, words: h.Words}
	c.Vocab, c.Context = len(h.Words), t.config.Context
	l := &loader{ck: h.Checkpoint, config: c, dtype: t.dtype, w: &weights{embed: t.w.embed}}
	x.layer = &Model{engine: t.engine, config: c, real: c.Vocab, dtype: t.dtype, w: l.w, ids: t.ids, first: 1} // pair i is of the token at position i+1
	x.layer.kv, _ = newKV(c, t.dtype, 0)
	if err := t.engine.Run(func(g *mlx.Graph) { x.load(g, l) }); err != nil {
		t.engine.Free(l.w.all...)
		return nil, fmt.Errorf("mlx: head %s: %w", h.Path, err)
	}
	x.newSteps()
	t.w.late.Lock()
	defer t.w.late.Unlock()
	t.w.late.heads = append(t.w.late.heads, l.w)
	return x, nil
}

func (h *Head) load(g *mlx.Graph, l *loader) {
	l.g = g
	m, c := h.layer, h.layer.config
	l.w.rope = l.rope(c)
	h.fc = l.linear("fc", len(h.taps)*c.Hidden, c.Hidden, false)
	y := l.layer("layer.", 2*c.Hidden)
	h.tokenNorm = y.attnNorm
	y.attnNorm = l.tensor("layer.hidden_norm.weight", c.Hidden)
	l.w.norm = l.tensor("norm.weight", c.Hidden)
	l.w.head = l.linear("lm_head", c.Hidden, c.Vocab, false)
	l.w.layers = []layer{y}
	h.table = g.Keep(g.Reshape(indices(g, h.words), len(h.words)))
	l.w.all = append(l.w.all, h.table)
	m.layers, m.params, m.bytes = l.w.layers, l.params, l.bytes
	g.Eval(l.w.all...)
}

// newSteps are an entry's inputs, states [1, n, width], ids [1, n] and rope's position of
// the first, and what the layer makes of its attention.
func (h *Head) newSteps() {
	m, c := h.layer, h.layer.config
	enter := func(g *mlx.Graph, x, ids, at mlx.Array) []mlx.Array {
		token := g.RMSNorm(g.Embed(m.w.embed, ids), h.tokenNorm, c.NormEps)
		state := g.RMSNorm(x, m.layers[0].attnNorm, c.NormEps)
		return m.project(g, &m.layers[0], g.Concatenate(2, token, state), at)
	}
	h.entry[0] = mlx.NewFunction(3, 4, func(g *mlx.Graph, in []mlx.Array) []mlx.Array {
		x := g.Apply(h.fc, in[0])
		return append([]mlx.Array{x}, enter(g, x, in[1], in[2])...)
	})
	h.entry[1] = mlx.NewFunction(3, 3, func(g *mlx.Graph, in []mlx.Array) []mlx.Array {
		return enter(g, in[0], in[1], in[2])
	})
	m.steps = []*mlx.Function{nil, m.lastStep(0)}
	m.w.owns(h.entry[:]...)
	m.w.owns(m.steps[1])
}

// Info implements model.Head. A step reads all the weights but the target's
// embedding; one that is fed back does not read fc.
func (h *Head) Info() model.Info {
	info, of := h.layer.Info(), h.target.Info()
	info.Vocab, info.Real = of.Vocab, of.Real
	return info
}

// NewTarget implements model.Head: a session that keeps the states that this head
// reads. m is the head's target, or as much of it as has those states.
func (h *Head) NewTarget(m model.Model) (model.Session, error) {
	of, ok := m.(modeller)
	if !ok {
		return nil, fmt.Errorf("mlx: head %s: its target is a %T: want a model of this backend", h.layer.config.Name, m)
	}
	t := of.model()
	if t.w != h.target.w {
		return nil, fmt.Errorf("mlx: head %s was opened for %s: want no other target, and this is %s", h.layer.config.Name, h.target.config.Name, t.config.Name)
	}
	return t.NewTappedSession(h.taps)
}
