package jsonmask

import (
	"maps"
	"slices"
)

// breakingItems is the arrays with an item that a keyword refuses.
func (d *document) breakingItems(at string, v map[string]any, keyword string) (out []flat, err error) {
	g, err := d.own(at, v)
	if err != nil || v[keyword] == true {
		return nil, err
	}
	array := func() flat { f := anything(); f.types = typeArray; return f }
	if keyword == "contains" {
		rule := g.contains[0]
		if rule.min > 0 {
			f := array()
			f.contains = []contains{{rule.schema, 0, rule.min - 1, true}}
			out = append(out, f)
		}
		if rule.max >= 0 {
			f := array()
			f.contains = []contains{{rule.schema, rule.max + 1, -1, true}}
			out = append(out, f)
		}
		return out, nil
	}
	first, _ := v[keyword].([]any)
	for i := range first {
		f := array()
		f.prefix = append(make([]all, i), all{complement(g.prefix[i][0])})
		f.minItems = i + 1
		out = append(out, f)
	}
	if keyword == "prefixItems" || !g.closedItems {
		return out, nil
	}
	f, not := array(), complement(g.items[0])
	f.contains = []contains{{not, 1, -1, true}}
	if len(g.prefix) > 0 { // one after those
		f.prefix, f.items, f.contains = make([]all, len(g.prefix), len(g.prefix)+1), nil, nil
		f.prefix, f.minItems = append(f.prefix, all{not}), len(g.prefix)+1
		d.narrows(&UnsupportedError{at, "not", "items that are not the first after those of a list"})
	}
	return append(out, f), nil
}

// breakingOneOf is what none of the schemas allows, and what two do.
func (d *document) breakingOneOf(at string, v map[string]any, within []string) ([]flat, error) {
	list, err := d.list(at, v, "oneOf")
	if err != nil {
		return nil, err
	}
	out, err := d.breakingList(at, "anyOf", list, within)
	var each [][]flat
	for _, s := range list {
		alternatives, failed := d.alternatives(s, within)
		if err == nil {
			err = failed
		}
		for _, before := range each {
			out = append(out, d.some(at, alternatives, before)...)
		}
		each = append(each, alternatives)
	}
	return out, err
}

// breakingBranches is what if allows and then refuses, and what if and else refuse.
func (d *document) breakingBranches(at string, v map[string]any, keyword string, within []string) (out []flat, err error) {
	branch, ok := v[keyword]
	if _, both := v["if"]; !ok || !both || keyword == "if" {
		return nil, nil
	}
	test := source{under(at, "if"), v["if"]}
	sides := d.alternatives
	if keyword == "else" {
		sides = d.negate
	}
	side, err := sides(test, within)
	if err != nil {
		return nil, err
	}
	not, err := d.negate(source{under(at, keyword), branch}, within)
	return d.some(at, side, not), err
}

// breakingNames is the objects with a name, or a member under one, that a keyword refuses.
// Of the names that a pattern matches, or that a schema refuses, it is one.
func (d *document) breakingNames(at string, v map[string]any, keyword string) (out []flat, err error) {
	g, err := d.own(at, map[string]any{keyword: v[keyword]})
	if err != nil {
		return nil, err
	}
	if keyword == "dependentRequired" {
		for _, name := range slices.Sorted(maps.Keys(g.needs)) {
			for _, other := range g.needs[name] {
				f := merge(present(name), absent(other))
				f.types = typeObject
				out = append(out, f)
			}
		}
		return out, nil
	}
	d.narrows(&UnsupportedError{at, "not", keyword + " but for one name"})
	held := func(name string, to all) {
		f := present(name)
		f.types, f.properties[name] = typeObject, to
		out = append(out, f)
	}
	if keyword == "propertyNames" {
		if name, ok := d.nameOf(all{complement(g.naming[0])}); ok {
			held(name, nil)
		}
		return out, nil
	}
	for _, m := range g.parts {
		for _, p := range m.patterns {
			if name, ok := d.nameOf(all{{at, map[string]any{"pattern": p.expr}}}); ok {
				held(name, all{complement(p.schema[0])})
			}
		}
	}
	return out, nil
}
