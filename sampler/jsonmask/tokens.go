package jsonmask

import "foretoken/model"

// tokens is a set of tokens as it was found: what it shares with others, and a list
// of its own. It never changes.
type tokens struct {
	sets []model.Mask    // all of these
	base *tokens         // all of this
	less [][]model.Token // but for these
	more []model.Token   // and these
}

// manyTokens is a list that takes as long to add as a mask takes to copy.
const manyTokens = 512

// put makes m the set; m has the width of the vocabulary.
func (t *tokens) put(m model.Mask) {
	switch {
	case t.base != nil:
		t.base.put(m)
	case len(t.sets) > 0:
		copy(m, t.sets[0])
		for _, set := range t.sets[1:] {
			union(m, set)
		}
	default:
		clear(m)
	}
	for _, list := range t.less {
		for _, id := range list {
			m.Remove(id)
		}
	}
	for _, id := range t.more {
		m.Add(id)
	}
}

// bytes is about what t holds of its own.
func (t *tokens) bytes() int {
	n := 128 + 4*len(t.more) + 24*len(t.less)
	if t.base == nil && len(t.more) == 0 && len(t.sets) == 1 {
		n += 8 * len(t.sets[0]) // it may be shared
	}
	return n
}

// gathered returns the tokens of sets and of g.list.
func (g *grammar) gathered(sets ...model.Mask) *tokens {
	if len(g.list) <= manyTokens && len(sets) < 3 {
		return &tokens{sets: sets, more: append([]model.Token(nil), g.list...)}
	}
	m := model.NewMask(len(g.v.tokens))
	(&tokens{sets: sets, more: g.list}).put(m)
	return &tokens{sets: []model.Mask{m}}
}
