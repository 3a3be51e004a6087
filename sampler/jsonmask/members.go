package jsonmask

import (
	"fmt"
	"slices"
)

// A members is what one schema with patternProperties says of an object's names.
type members struct {
	at         string
	declared   []string // names of properties beside it
	patterns   []namePattern
	additional all  // of a name that is neither declared nor matched
	evaluates  bool // what it matches is not left to unevaluatedProperties
}

type namePattern struct {
	expr   string
	schema all
}

// schemas returns what a part says of a name; matches tells which patterns match it.
func (m members) schemas(declared bool, matches func(expr string) bool) all {
	var out all
	matched := false
	for _, p := range m.patterns {
		if matches(p.expr) {
			matched = true
			out = join(out, p.schema)
		}
	}
	if !matched && !declared {
		return m.additional
	}
	return out
}

// named is what a declared name's value is held to.
func (f flat) named(name string) all {
	out := f.property(name)
	for _, m := range f.parts {
		out = join(out, m.schemas(slices.Contains(m.declared, name), func(expr string) bool { return matchesText(expr, name) }))
	}
	return out
}

// An unnamed is names that are not declared, and their value.
type unnamed struct {
	name  terminal
	value *value
	meets uint64 // which outsiders such a name is
}

// unnamed returns the names that are not declared, by the patterns they match.
func (c *compiler) unnamed(f flat, at string) ([]unnamed, error) {
	var exprs []string
	for _, m := range f.parts {
		for _, p := range m.patterns {
			exprs = join(exprs, []string{p.expr})
		}
	}
	for _, x := range f.outsiders {
		exprs = join(exprs, x.patterns)
	}
	rules, err := c.doc.flatten(f.naming)
	if err != nil {
		return nil, err
	}
	var out []unnamed
	for _, rule := range rules {
		if rule.types&typeString == 0 || rule.limited { // names that are listed are declared
			continue
		}
		if len(exprs)+len(rule.patterns)+len(rule.unlike) > maxPatterns {
			return nil, &UnsupportedError{at, "patternProperties", fmt.Sprintf("more than %d patterns of one name", maxPatterns)}
		}
		for set := range 1 << len(exprs) {
			matches := func(expr string) bool { return set>>slices.Index(exprs, expr)&1 == 1 }
			held := f.additional
			for _, m := range f.parts {
				held = join(held, m.schemas(false, matches))
			}
			in, not := slices.Clone(rule.patterns), slices.Clone(rule.unlike)
			for _, expr := range exprs {
				if matches(expr) {
					in = append(in, expr)
				} else {
					not = append(not, expr)
				}
			}
			name, err := c.string(rule.minLen, c.length(rule.minLen, rule.maxLen, in...), in, not, slices.Concat(f.names, rule.notText))
			if err != nil {
				return nil, &UnsupportedError{at, "patternProperties", err.Error()}
			}
			if name.possible(name.start()) {
				out = append(out, unnamed{name, c.value(held), f.meets(func(outsider) bool { return false }, matches)})
			}
		}
	}
	return out, nil
}

// declare adds the names that propertyNames lists, and returns those that it
// refuses.
func (c *compiler) declare(f *flat) (refused []string, err error) {
	if len(f.naming) == 0 {
		return nil, nil
	}
	rules, err := c.doc.flatten(f.naming)
	if err != nil {
		return nil, err
	}
	free := *c // a name that is declared may be longer than others
	free.options = Options{}
	allowed := &value{c: &free}
	for _, rule := range rules {
		rule.types &= typeString
		for _, x := range rule.enum {
			if name, ok := x.(string); ok {
				f.names = join(f.names, []string{name})
			}
		}
		if err := free.alternative(allowed, rule, f.naming[0].at); err != nil {
			return nil, err
		}
	}
	m := newMachine(allowed, c.space)
	for _, name := range f.names {
		if end := m.run(m.start, []byte(spellings(name)[0])); end == nil || !end.done {
			refused = append(refused, name)
		}
	}
	return refused, nil
}
