package jsonmask

import (
	"fmt"
	"slices"
	"sync"

	"foretoken/model"
	"foretoken/sampler"
)

// A grammar is what the states of one request share.
type grammar struct {
	mu    sync.Mutex
	v     *Vocabulary
	m     *machine
	masks map[*config]model.Mask
	path  []*config // scratch of walk
}

// maxMasks and maxConfigs bound what a grammar remembers: at a vocabulary of
// 152,000, some 10 and 100 MB.
const (
	maxMasks   = 512
	maxConfigs = 1 << 16
)

// Object returns the engine of any JSON object.
func Object(v *Vocabulary) sampler.ConstraintEngine {
	e, err := Schema(v, []byte(`{"type": "object"}`))
	if err != nil {
		panic("jsonmask: " + err.Error())
	}
	return e
}

// Schema returns the engine of what a JSON schema (draft 2020-12) allows. What it
// cannot hold a text to is an *UnsupportedError that names the keyword; what is
// no schema, or allows nothing, a *SchemaError. Of a oneOf's schemas whose complement
// is not known here (a pattern's, a multipleOf's) two may hold. An engine may begin any number of texts, also at
// once, and knows the masks that it met in others.
func Schema(v *Vocabulary, schema []byte) (sampler.ConstraintEngine, error) {
	root, err := read(schema)
	if err != nil {
		return nil, err
	}
	m := newMachine(root)
	return state{&grammar{v: v, m: m, masks: map[*config]model.Mask{}}, m.start}, nil
}

// Check returns the error that Schema would, without a vocabulary.
func Check(schema []byte) error {
	_, err := read(schema)
	return err
}

func read(schema []byte) (*value, error) {
	doc, err := parse(schema)
	if err != nil {
		return nil, err
	}
	root, err := compile(doc)
	if err != nil {
		return nil, err
	}
	if !root.live {
		return nil, &SchemaError{"", "allows no text"}
	}
	return root, nil
}

// A state is the engine after some text; at is nil after the end of sequence.
type state struct {
	g  *grammar
	at *config
}

// WantsMask implements sampler.ConstraintEngine.
func (s state) WantsMask() bool { return true }

// Mask implements sampler.ConstraintEngine.
func (s state) Mask(allowed model.Mask) error {
	s.g.mu.Lock()
	defer s.g.mu.Unlock()
	n := copy(allowed, s.g.mask(s.at))
	clear(allowed[n:])
	return nil
}

// Next implements sampler.ConstraintEngine.
func (s state) Next(t model.Token) (sampler.ConstraintEngine, error) {
	s.g.mu.Lock()
	defer s.g.mu.Unlock()
	if slices.Contains(s.g.v.eos, t) {
		if s.at != nil && !s.at.done {
			return nil, fmt.Errorf("jsonmask: end of sequence, token %d, before the text is complete", t)
		}
		return state{s.g, nil}, nil
	}
	var text []byte
	if t >= 0 && int(t) < len(s.g.v.tokens) {
		text = s.g.v.tokens[t]
	}
	if len(text) > 0 {
		if to := s.g.m.run(s.at, text); to != nil {
			return state{s.g, to}, nil
		}
	}
	return nil, fmt.Errorf("jsonmask: token %d, %q, is not allowed here", t, text)
}

// mask returns the tokens that some valid text has after at.
func (g *grammar) mask(at *config) model.Mask {
	if m, ok := g.masks[at]; ok {
		return m
	}
	if len(g.masks) >= maxMasks {
		clear(g.masks)
	}
	if len(g.m.configs) >= maxConfigs {
		g.m.reset()
		clear(g.masks)
		if at != nil {
			at.forget()
		}
	}
	m := model.NewMask(len(g.v.tokens))
	if at == nil || at.done {
		for _, t := range g.v.eos {
			if int(t) < 64*len(m) {
				m.Add(t)
			}
		}
	}
	if at != nil {
		g.fill(m, at)
	}
	g.masks[at] = m
	return m
}

// fill adds what the vocabulary allows after at. Where a string is
// open that takes any text, the tokens that leave it open are known, and those
// that close it are walked from the quote on.
func (g *grammar) fill(m model.Mask, at *config) {
	if g.fillBlank(m, at) {
		return
	}
	free := 0
	for _, t := range at.threads {
		if s, ok := t.term.(*text); ok {
			free = max(free, s.free(t.state))
		}
	}
	if longest := len(g.v.plain); free > 0 {
		if free >= g.v.longest {
			if !at.indifferent() && g.fillAlong(m, at) {
				return
			}
			union(m, g.v.inside)
			if end := g.m.step(at, '"'); !at.indifferent() {
				g.walk(m, at, &g.v.quoted)
			} else if end != nil {
				union(m, g.v.closed)
				g.walk(m, end, &g.v.closing)
			}
			return
		}
		if longest > 0 {
			union(m, g.v.plain[min(free, longest)-1])
		}
	}
	g.walk(m, at, &g.v.all)
}

// indifferent reports whether at is within strings only, which what they hold
// makes no difference to: at their quote the machine is where it would be now.
func (c *config) indifferent() bool {
	for _, t := range c.threads {
		s, ok := t.term.(*text)
		if !ok || !s.indifferent(t.state) {
			return false
		}
	}
	return true
}

// walk adds the tokens of t that the machine reads after at.
func (g *grammar) walk(m model.Mask, at *config, t *trie) {
	g.walkNodes(m, at, t, 0, len(t.nodes)-1)
}

// walkNodes is walk from node i, at depth 0, to node end.
func (g *grammar) walkNodes(m model.Mask, at *config, t *trie, i, end int) {
	g.path = append(g.path[:0], at)
	for i < end {
		n := &t.nodes[i]
		to := g.m.step(g.path[n.depth], n.char)
		if to == nil {
			i = int(n.end)
			continue
		}
		g.path = append(g.path[:n.depth+1], to)
		for _, id := range t.tokens[n.first:t.nodes[i+1].first] {
			m.Add(id)
		}
		i++
	}
}
