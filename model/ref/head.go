package ref

import (
	"fmt"

	"foretoken/model"
	"foretoken/model/checkpoint"
)

// A Head is an EAGLE-3 head (Li et al. 2025). Of a pair of a target's state and the
// token after it, fc makes the state one vector of the residual stream, and q, k and
// v of a decoder layer read the norm of the token's embedding beside the norm of
// that. The stream after the layer gives the logits, and stands in for the next
// pair's where the target has no state yet. It is safe for concurrent use.
type Head struct {
	layer     *Model // the layer and its lm_head, over the target's embedding
	target    *Model
	fc        matrix // [Hidden, taps*Hidden]
	tokenNorm []float32
	taps      []int
	words     []model.Token // ids of the rows of lm_head, ascending
}

// NewHead copies the weights of a head for target; h may be closed after. A target
// of another backend, or one whose sizes do not fit, is refused.
func NewHead(h *checkpoint.Head, target model.Model) (*Head, error) {
	t, ok := target.(*Model)
	if !ok {
		return nil, fmt.Errorf("ref: head %s: its target is a %T: want a model of this backend", h.Path, target)
	}
	c, of := h.Config, t.config
	switch last := h.Taps[len(h.Taps)-1]; {
	case c.Hidden != of.Hidden:
		return nil, fmt.Errorf("ref: head %s: hidden size %d: want %d, that of %s", h.Path, c.Hidden, of.Hidden, of.Name)
	case c.Vocab != of.Vocab:
		return nil, fmt.Errorf("ref: head %s: for a vocabulary of %d: want %d, that of %s", h.Path, c.Vocab, of.Vocab, of.Name)
	case last > len(t.layers):
		return nil, fmt.Errorf("ref: head %s: states after %v layers: want at most %d, the layers of %s", h.Path, h.Taps, len(t.layers), of.Name)
	case c.Hidden%padded(1) != 0:
		return nil, fmt.Errorf("ref: head %s: hidden size %d: want a multiple of %d", h.Path, c.Hidden, padded(1))
	}
	c.Vocab, c.Context = len(h.Words), of.Context
	wide := len(h.Taps) * c.Hidden
	l := &loader{ck: h.Checkpoint, how: t.how}
	x := &Head{layer: newModel(c, t.how), target: t, taps: h.Taps, words: h.Words}
	x.fc = l.matrix(wide, part{"fc.weight", c.Hidden})
	x.tokenNorm = l.vector("layer.input_layernorm.weight", c.Hidden)
	y := l.layer("layer.", 2*c.Hidden)
	y.attnNorm = l.vector("layer.hidden_norm.weight", c.Hidden)
	m := x.layer
	m.layers, m.embed, m.params = []layer{y}, t.embed, scalars(h.Checkpoint)
	m.head = l.matrix(c.Hidden, part{"lm_head.weight", c.Vocab})
	m.norm = l.vector("norm.weight", c.Hidden)
	m.first = 1 // pair i is of the token at position i+1
	return x, l.err
}

// Info implements model.Head. A step reads all the weights but the target's
// embedding; one that is fed back does not read fc.
func (h *Head) Info() model.Info {
	info, of := h.layer.Info(), h.target.Info()
	info.Vocab, info.Real = of.Vocab, of.Real
	info.WeightBytes += int64(h.fc.bytes())
	return info
}

// NewTarget implements model.Head: a session that keeps the states that this head
// reads. m is the head's target, or as much of it as has those states.
func (h *Head) NewTarget(m model.Model) (model.Session, error) {
	t, ok := m.(*Model)
	if !ok {
		return nil, fmt.Errorf("ref: head %s: its target is a %T: want a model of this backend", h.layer.config.Name, m)
	}
	if t.embed != h.target.embed {
		return nil, fmt.Errorf("ref: head %s was opened for %s: want no other target, and this is %s", h.layer.config.Name, h.target.config.Name, t.config.Name)
	}
	return t.NewTappedSession(h.taps)
}
