package jsonmask

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
)

// mostLists is how often lists may be met within the values of lists: in a schema that
// contains itself they come again and again.
const mostLists = 2000

// listed adds the listed values that the rest of f allows, in compact form, the
// names of an object in the order that encoding/json gives them.
func (c *compiler) listed(v *value, f flat, at string) error {
	rest := f
	rest.enum, rest.limited, rest.types = nil, false, 0
	var candidates []string
	longest := 0
	rest.unique = false // a listed value is looked at itself
	for _, x := range f.enum {
		if list, ok := x.([]any); ok && f.unique && repeatsItem(list) {
			continue
		}
		for _, text := range spellings(x) {
			// What is within a listed value is shorter than it.
			if kind := typesOf(x) & f.types; kind != 0 && (c.room == 0 || len(text) < c.room) {
				candidates, rest.types, longest = append(candidates, text), rest.types|kind, max(longest, len(text))
			}
		}
	}
	if len(candidates) == 0 {
		return nil
	}
	if c.room > 0 {
		*c.lists++
	}
	if *c.lists > mostLists {
		return &UnsupportedError{at, "enum", "listed values whose own parts are held to lists again and again"}
	}
	m, err := c.alone(rest, at, longest)
	if err != nil {
		return err
	}
	texts := slices.DeleteFunc(candidates, func(text string) bool {
		end := m.run(m.start, []byte(text))
		return end == nil || !end.done
	})
	if len(texts) > 0 {
		v.scalars = append(v.scalars, newLiterals(texts...))
	}
	return nil
}

// repeatsItem reports whether two items are the same.
func repeatsItem(list []any) bool {
	for i, x := range list {
		if slices.ContainsFunc(list[:i], func(y any) bool { return sameJSON(x, y) }) {
			return true
		}
	}
	return false
}

// alone is a machine of f alone, for texts of up to longest bytes.
func (c *compiler) alone(f flat, at string, longest int) (*machine, error) {
	one := &compiler{}
	*one = *c
	one.values, one.todo, one.room = map[string]*value{}, nil, longest
	one.options.Strict, one.options.Bounds = false, Bounds{} // a listed value says all of itself
	allowed := &value{c: one}
	if err := one.alternative(allowed, f, at); err != nil {
		return nil, err
	}
	if err := one.work(); err != nil {
		return nil, err
	}
	one.values["\x01listed"] = allowed
	one.liveness()
	return newMachine(allowed, c.space), nil
}

// typesOf are the types that x has.
func typesOf(x any) int {
	switch x.(type) {
	case nil:
		return typeNull
	case bool:
		return typeBoolean
	case json.Number:
		return typeNumber
	case string:
		return typeString
	case []any:
		return typeArray
	}
	return typeObject
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
