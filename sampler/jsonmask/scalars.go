package jsonmask

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
)

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
