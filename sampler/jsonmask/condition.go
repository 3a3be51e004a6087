package jsonmask

import (
	"maps"
	"slices"
)

// conditions merges into out what not, if and dependentSchemas of v say.
func (d *document) conditions(at string, v map[string]any, out []flat, within []string) ([]flat, error) {
	var choices [][]flat
	add := func(c []flat, err error) error {
		choices = append(choices, c)
		return err
	}
	if not, ok := v["not"]; ok {
		if err := add(d.refused(source{under(at, "not"), not}, within)); err != nil {
			return nil, err
		}
	}
	// Where something asks what has been looked at, an if alone has looked all the same.
	if _, ok := v["if"]; ok && (v["then"] != nil || v["else"] != nil || d.looks) {
		if err := add(d.branches(at, v, within)); err != nil {
			return nil, err
		}
	}
	for _, keyword := range []string{"dependentSchemas", "dependencies"} {
		named, err := d.dependent(at, v, keyword, within)
		if err != nil {
			return nil, err
		}
		choices = append(choices, named...)
	}
	for _, c := range choices {
		var err error
		if out, err = d.product(at, out, c); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// dependent are the schemas that names call for, a choice each: with the name, or without it.
func (d *document) dependent(at string, v map[string]any, keyword string, within []string) ([][]flat, error) {
	value, ok := v[keyword]
	if !ok {
		return nil, nil
	}
	m, ok := value.(map[string]any)
	if !ok {
		return nil, &SchemaError{at, keyword + " is no schemas by name"}
	}
	var choices [][]flat
	for _, name := range slices.Sorted(maps.Keys(m)) {
		if _, names := m[name].([]any); names && keyword == "dependencies" {
			continue // read as dependentRequired
		}
		with, err := d.alternatives(source{under(under(at, keyword), name), m[name]}, within)
		if err != nil {
			return nil, err
		}
		for i := range with {
			with[i] = merge(with[i], present(name))
		}
		choices = append(choices, append(with, absent(name)))
	}
	return choices, nil
}

// branches are if with then, and its complement with else.
func (d *document) branches(at string, v map[string]any, within []string) ([]flat, error) {
	test := source{under(at, "if"), v["if"]}
	yes, err := d.alternatives(test, within)
	if err != nil {
		return nil, err
	}
	no, err := d.refused(test, within)
	if err != nil {
		return nil, err
	}
	for keyword, side := range map[string]*[]flat{"then": &yes, "else": &no} {
		if v[keyword] == nil {
			continue
		}
		more, err := d.alternatives(source{under(at, keyword), v[keyword]}, within)
		if err != nil {
			return nil, err
		}
		if *side, err = d.product(at, *side, more); err != nil {
			return nil, err
		}
	}
	return append(yes, no...), nil
}

// never is the schema of no value.
var never = source{"/\x00", false}

func (s source) is(other source) bool { return s.at == other.at }

// absent is any value but an object with a name, present an object with it.
func absent(name string) flat {
	f := anything()
	f.names, f.properties[name] = []string{name}, all{never}
	return f
}

func present(name string) flat {
	f := anything()
	f.names, f.required, f.properties[name] = []string{name}, []string{name}, nil
	return f
}
