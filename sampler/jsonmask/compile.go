package jsonmask

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// A value is a symbol: what all of some schemas allow.
type value struct {
	scalars []terminal
	objects []*object
	arrays  []*array
	// live says that some finite text is such a value.
	live bool
}

func (v *value) expand(_ place, to func(parts ...part)) {
	for _, t := range v.scalars {
		to(part{term: t})
	}
	for _, o := range v.objects {
		if o.live {
			to(part{term: o.c.open}, part{term: o.c.space}, part{sym: &o.first})
		}
	}
	for _, a := range v.arrays {
		if a.live {
			to(part{term: a.c.openList}, part{term: a.c.space}, part{sym: &a.first})
		}
	}
}

// A compiler turns schemas into symbols, each set of schemas once.
type compiler struct {
	doc    *document
	values map[string]*value
	todo   []func() error

	open, shut, openList, shutList, comma, colon terminal
	space                                        terminal
	number, integer                              terminal
	anyText                                      *text
	null, boolean                                terminal
}

func compile(doc *document) (*value, error) {
	c := &compiler{doc: doc, values: map[string]*value{},
		open: newLiterals("{"), shut: newLiterals("}"), openList: newLiterals("["), shutList: newLiterals("]"),
		comma: newLiterals(","), colon: newLiterals(":"), space: &space{}, number: &number{}, integer: &number{whole: true},
		anyText: newText(0, -1, nil, nil), null: newLiterals("null"), boolean: newLiterals("true", "false")}
	root := c.value(all{{"", doc.root}})
	for len(c.todo) > 0 {
		next := c.todo[len(c.todo)-1]
		c.todo = c.todo[:len(c.todo)-1]
		if err := next(); err != nil {
			return nil, err
		}
	}
	c.liveness()
	return root, nil
}

// value returns the symbol of some schemas together, compiled later: schemas may
// contain themselves.
func (c *compiler) value(together all) *value {
	var at []string
	for _, s := range together {
		at = append(at, s.at)
	}
	slices.Sort(at)
	key := strings.Join(slices.Compact(at), "\x00")
	if len(together) == 0 {
		key = "\x01anything"
	}
	if v, ok := c.values[key]; ok {
		return v
	}
	v := &value{}
	c.values[key] = v
	c.todo = append(c.todo, func() error { return c.fill(v, together) })
	return v
}

func (c *compiler) fill(v *value, together all) error {
	alternatives, err := c.doc.flatten(together)
	if err != nil {
		return err
	}
	for _, f := range alternatives {
		at := ""
		if len(together) > 0 {
			at = together[0].at
		}
		if err := c.alternative(v, f, at); err != nil {
			return err
		}
	}
	return nil
}

// alternative adds what f allows to v.
func (c *compiler) alternative(v *value, f flat, at string) error {
	if f.limited {
		return c.listed(v, f, at)
	}
	if f.types&typeNull != 0 {
		v.scalars = append(v.scalars, c.null)
	}
	if f.types&typeBoolean != 0 {
		v.scalars = append(v.scalars, c.boolean)
	}
	if f.types&typeInteger != 0 {
		v.scalars = append(v.scalars, c.numbers(f))
	}
	if f.types&typeString != 0 && (f.maxLen < 0 || f.minLen <= f.maxLen) {
		t, err := c.text(f, at)
		if err != nil {
			return err
		}
		v.scalars = append(v.scalars, t)
	}
	if f.types&typeArray != 0 && (f.maxItems < 0 || f.minItems <= f.maxItems) {
		v.arrays = append(v.arrays, c.array(f))
	}
	if f.types&typeObject != 0 && (f.maxProps < 0 || f.minProps <= f.maxProps) {
		o, err := c.object(f, at)
		if err != nil {
			return err
		}
		v.objects = append(v.objects, o)
	}
	return nil
}

func (c *compiler) numbers(f flat) terminal {
	whole := f.types&typeFraction == 0
	switch {
	case f.low != nil || f.high != nil:
		return newBounded(f.low, f.high, f.openLow, f.openHigh, whole)
	case whole:
		return c.integer
	}
	return c.number
}

func (c *compiler) text(f flat, at string) (terminal, error) {
	if f.minLen == 0 && f.maxLen < 0 && len(f.patterns) == 0 {
		return c.anyText, nil
	}
	if len(f.patterns) > maxPatterns {
		return nil, &UnsupportedError{at, "pattern", fmt.Sprintf("more than %d of one string", maxPatterns)}
	}
	var patterns []*pattern
	for _, expr := range f.patterns {
		p, err := newPattern(expr)
		if err != nil {
			return nil, &UnsupportedError{at, "pattern", err.Error()}
		}
		patterns = append(patterns, p)
	}
	return newText(f.minLen, f.maxLen, patterns, nil), nil
}

// listed adds the listed values that the rest of f allows, in compact form, the
// names of an object in the order that encoding/json gives them.
func (c *compiler) listed(v *value, f flat, at string) error {
	rest := f
	rest.enum, rest.limited = nil, false
	one := &compiler{}
	*one = *c
	one.values, one.todo = map[string]*value{}, nil
	allowed := &value{}
	if err := one.alternative(allowed, rest, at); err != nil {
		return err
	}
	for len(one.todo) > 0 {
		next := one.todo[len(one.todo)-1]
		one.todo = one.todo[:len(one.todo)-1]
		if err := next(); err != nil {
			return err
		}
	}
	one.values["\x01listed"] = allowed
	one.liveness()
	m := newMachine(allowed)
	var texts []string
	for _, x := range f.enum {
		for _, text := range spellings(x) {
			if end := m.run(m.start, []byte(text)); end != nil && end.done {
				texts = append(texts, text)
			}
		}
	}
	if len(texts) > 0 {
		v.scalars = append(v.scalars, newLiterals(texts...))
	}
	return nil
}

// spellings are the texts a listed value may have.
func spellings(x any) []string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if e.Encode(x) != nil {
		return nil
	}
	text := strings.TrimSuffix(b.String(), "\n")
	n, ok := x.(json.Number)
	if !ok {
		return []string{text}
	}
	if r, ok := rational(n); ok && r.IsInt() {
		return []string{text, r.RatString(), r.RatString() + ".0"}
	}
	return []string{text}
}

// liveness finds the values that some finite text is: the least fixed point.
func (c *compiler) liveness() {
	for changed := true; changed; {
		changed = false
		for _, v := range c.values {
			live := len(v.scalars) > 0
			for _, o := range v.objects {
				o.live = o.live || o.possible()
				live = live || o.live
			}
			for _, a := range v.arrays {
				a.live = a.live || a.possible()
				live = live || a.live
			}
			if live != v.live {
				v.live, changed = live, true
			}
		}
	}
}
