package jsonmask

import (
	"cmp"
	"fmt"
	"slices"
	"sync"

	"foretoken/model"
	"foretoken/sampler"
)

// A grammar is what the states of one request share.
type grammar struct {
	mu   sync.Mutex
	name string // for errors
	v    *Vocabulary
	m    *machine
	held int           // bytes of the masks that configs remember
	path []*config     // scratch of walk
	list []model.Token // what walk found
	full model.Mask    // scratch for masks shorter than the vocabulary

	walked int // nodes of tries
}

// maxHeld and maxConfigs bound what a grammar remembers: 16 and some 30 MB.
const (
	maxHeld    = 16 << 20
	maxConfigs = 1 << 16
)

// Object returns the engine of any JSON object. It fails only for options out of range.
func Object(v *Vocabulary, o Options) (sampler.ConstraintEngine, error) {
	o.Name = cmp.Or(o.Name, "any JSON object")
	return Schema(v, []byte(`{"type": "object"}`), o)
}

// Schema returns the engine of what a JSON schema allows, of the draft that its $schema
// names: 2020-12 where it names none, 2019-09, -07, -06 or -04. Items that have to differ
// (uniqueItems), and undeclared names where minProperties counts them, are told apart by
// class, so that some valid texts are left out and none is wrong. What it
// cannot hold a text to is an *UnsupportedError that names the keyword; what is
// no schema, or allows nothing, a *SchemaError. Of what a schema does not allow (not, if,
// the other schemas of a oneOf) the part is taken that is known. An engine may begin any number of texts, also at
// once, and knows the masks that it met in others; some it finds now.
func Schema(v *Vocabulary, schema []byte, o Options) (sampler.ConstraintEngine, error) {
	root, err := read(schema, o)
	if err != nil {
		return nil, err
	}
	m := newMachine(root, root.c.space)
	g := &grammar{v: v, m: m, name: cmp.Or(o.Name, "the JSON schema")}
	g.warm(root)
	return state{g, m.start}, nil
}

// Check returns the error that Schema would, without a vocabulary.
func Check(schema []byte, o Options) error {
	_, err := read(schema, o)
	return err
}

func read(schema []byte, o Options) (*value, error) {
	root, err := readRoot(schema, o)
	return root, cleaned(err)
}

func readRoot(schema []byte, o Options) (*value, error) {
	if err := o.Check(); err != nil {
		return nil, err
	}
	doc, err := parse(schema)
	if err != nil {
		return nil, err
	}
	root, err := compile(doc, o)
	if err != nil {
		return nil, err
	}
	if root.live {
		return root, nil
	}
	if o.Strict {
		if free, err := compile(doc, Options{}); err == nil && free.live {
			return nil, &SchemaError{"", "allows no text of declared members only, which strict asks for"}
		}
	}
	if doc.narrow != nil {
		return nil, doc.narrow
	}
	return nil, &SchemaError{"", "allows no text"}
}

// A state is the engine after some text; at is nil after the end of sequence.
type state struct {
	g  *grammar
	at *config
}

// Describe implements sampler.Described.
func (s state) Describe() string { return s.g.name }

// WantsMask implements sampler.ConstraintEngine.
func (s state) WantsMask() bool { return true }

// Mask implements sampler.ConstraintEngine.
func (s state) Mask(allowed model.Mask) error {
	s.g.mu.Lock()
	defer s.g.mu.Unlock()
	s.g.put(allowed, s.at)
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

// put makes m the tokens that some valid text has after at.
func (g *grammar) put(m model.Mask, at *config) {
	words := model.MaskWords(len(g.v.tokens))
	if len(m) < words {
		if g.full == nil {
			g.full = model.NewMask(len(g.v.tokens))
		}
		g.put(g.full, at)
		copy(m, g.full)
		return
	}
	clear(m[words:])
	if at == nil {
		clear(m[:words])
	} else {
		g.tokens(at).put(m[:words])
	}
	if at == nil || at.done {
		for _, t := range g.v.eos {
			if int(t) < 64*words {
				m.Add(t)
			}
		}
	}
}

// tokens returns those that some valid text has after at, without the end of sequence.
func (g *grammar) tokens(at *config) *tokens {
	if at.mask != nil {
		return at.mask
	}
	if g.m.count >= maxConfigs || g.held >= maxHeld {
		g.m.reset()
		g.held = 0
		at.forget()
	}
	found := g.find(at)
	g.held += found.bytes()
	at.mask = found
	return found
}
