package jsonmask

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// numbers returns those of f, nil where there are none.
func (c *compiler) numbers(f flat) terminal {
	kind := f.types & typeNumber
	switch {
	case f.low != nil || f.high != nil || f.step != nil || kind == typeFraction:
		if b := newBounded(f.span, f.step, kind); b.possible() {
			return b
		}
		return nil
	case kind == typeInteger:
		return c.integer
	}
	return c.number
}

func (c *compiler) text(f flat, at string) (*text, error) {
	t, err := c.string(f.minLen, f.maxLen, f.patterns, nil, f.notText)
	if err != nil {
		return nil, &UnsupportedError{at, "pattern", err.Error()}
	}
	return t, nil
}

// string returns the strings of low to high code points that match the patterns of
// in and none of not, and are none of texts.
func (c *compiler) string(low, high int, in, not, texts []string) (*text, error) {
	if low == 0 && high < 0 && len(in)+len(not)+len(texts) == 0 {
		return c.anyText, nil
	}
	if len(in)+len(not) > maxPatterns {
		return nil, fmt.Errorf("more than %d of one string", maxPatterns)
	}
	var patterns []*pattern
	for _, expr := range slices.Concat(in, not) {
		p, err := newPattern(expr)
		if err != nil {
			return nil, err
		}
		patterns = append(patterns, p)
	}
	t := newText(low, high, patterns, nil)
	if len(texts) > 0 {
		t = newText(low, high, patterns, newLiterals(texts...))
	}
	t.refused = len(not)
	return t, nil
}

// listed adds the listed values that the rest of f allows, in compact form, the
// names of an object in the order that encoding/json gives them.
func (c *compiler) listed(v *value, f flat, at string) error {
	rest := f
	rest.enum, rest.limited = nil, false
	one := &compiler{}
	*one = *c
	one.values, one.todo = map[string]*value{}, nil
	allowed := &value{c: one}
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
