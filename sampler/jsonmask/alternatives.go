package jsonmask

import (
	"fmt"
	"slices"
)

// atMost is how many alternatives a schema may have.
const atMost = 256

// flatten returns the alternatives of what together hold a value.
func (d *document) flatten(together all) ([]flat, error) {
	out := []flat{anything()}
	for _, s := range together {
		alternatives, err := d.alternatives(s, nil)
		if err != nil {
			return nil, err
		}
		if out, err = d.product(s.at, out, alternatives); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// product merges every one of a with every one of b, but for what allows nothing.
func (d *document) product(at string, a, b []flat) ([]flat, error) {
	if len(a)*len(b) > atMost {
		return nil, &UnsupportedError{at, "anyOf", fmt.Sprintf("more than %d combinations", atMost)}
	}
	var out []flat
	for _, x := range a {
		for _, y := range b {
			if m := merge(x, y); !d.dead(m, deadDepth) {
				out = append(out, m)
			}
		}
	}
	return out, nil
}

// alternatives returns those of one schema. within are the schemas whose
// references led here: one that leads back to itself says nothing.
func (d *document) alternatives(s source, within []string) ([]flat, error) {
	s.at = d.enter(s.at)
	if slices.Contains(within, s.at) {
		return nil, &SchemaError{s.at, "refers to itself and to nothing else"}
	}
	within = append(slices.Clone(within), s.at)
	switch v := s.value.(type) {
	case bool:
		if v {
			return []flat{anything()}, nil
		}
		return nil, nil
	case map[string]any:
		v = d.dialect(s.at).modern(v)
		own, err := d.own(s.at, v)
		if err != nil {
			return nil, err
		}
		return d.combine(s.at, v, []flat{own}, within)
	}
	return nil, &SchemaError{s.at, "is " + kindOf(s.value) + ", want an object or a boolean"}
}

// references are the keywords that name another schema.
var references = []string{"$ref", "$dynamicRef", "$recursiveRef"}

// combine merges what references and combinators of v say into out.
func (d *document) combine(at string, v map[string]any, out []flat, within []string) ([]flat, error) {
	for _, keyword := range references {
		ref, ok := v[keyword]
		if !ok {
			continue
		}
		text, ok := ref.(string)
		if !ok {
			return nil, &SchemaError{at, keyword + " is no string"}
		}
		to, err := d.resolve(at, text)
		if err == nil && keyword != "$ref" {
			to = d.dynamically(at, keyword, text, to)
		}
		if err == nil {
			out, err = d.with(out, to, within)
		}
		if err != nil {
			return nil, err
		}
	}
	for _, keyword := range []string{"allOf", "anyOf", "oneOf"} {
		list, err := d.list(at, v, keyword)
		switch {
		case err != nil:
			return nil, err
		case keyword == "allOf":
			for _, s := range list {
				if out, err = d.with(out, s, within); err != nil {
					return nil, err
				}
			}
			continue
		case list == nil:
			continue
		}
		either, err := d.either(list, within, keyword == "oneOf")
		if err == nil {
			out, err = d.product(at, out, either)
		}
		if err != nil {
			return nil, err
		}
	}
	out, err := d.conditions(at, v, out, within)
	if err != nil {
		return nil, err
	}
	return d.unevaluated(at, v, out), nil
}

// with merges into out the alternatives of s.
func (d *document) with(out []flat, s source, within []string) ([]flat, error) {
	more, err := d.alternatives(s, within)
	if err != nil {
		return nil, err
	}
	return d.product(s.at, out, more)
}

// list returns the schemas under a keyword, nil where it is not there.
func (d *document) list(at string, v map[string]any, keyword string) ([]source, error) {
	value, ok := v[keyword]
	if !ok {
		return nil, nil
	}
	list, ok := value.([]any)
	if !ok || len(list) == 0 {
		return nil, &SchemaError{at, keyword + " is no list of schemas"}
	}
	out := []source{}
	for i, x := range list {
		out = append(out, source{under(under(at, keyword), fmt.Sprint(i)), x})
	}
	return out, nil
}
