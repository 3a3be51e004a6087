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
