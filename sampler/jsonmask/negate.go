package jsonmask

import (
	"maps"
	"slices"
)

// refused is negate for what a schema says by a complement: it looks at no part
// of a value, so that what is unevaluated stays so.
func (d *document) refused(s source, within []string) ([]flat, error) {
	known := d.narrowed
	out, err := d.negate(s, within)
	for i := range out {
		f := &out[i]
		f.declared, f.closed, f.closedItems, f.looked, f.spare = nil, false, false, 0, true
		f.contains, f.parts = slices.Clone(f.contains), slices.Clone(f.parts)
		for j := range f.contains {
			f.contains[j].silent = true
		}
		for j := range f.parts {
			f.parts[j].evaluates = false
		}
	}
	if err == nil && len(out) == 0 && d.narrowed > known {
		return nil, d.narrow
	}
	return out, err
}

// narrows notes why valid texts are left out.
func (d *document) narrows(why error) {
	if d.narrowed++; d.narrow == nil {
		d.narrow = why
	}
}

// negate returns what s does not allow, for each of its keywords what breaks it, as far
// as that is known: every value is one that s refuses, and some that it refuses may be
// left out.
func (d *document) negate(s source, within []string) ([]flat, error) {
	s.at = d.enter(s.at)
	switch v := s.value.(type) {
	case bool:
		if v {
			return nil, nil
		}
		return []flat{anything()}, nil
	case map[string]any:
		v = d.dialect(s.at).modern(v)
		var out []flat
		for _, keyword := range slices.Sorted(maps.Keys(v)) {
			broken, err := d.breaking(s.at, v, keyword, within)
			if no, ok := err.(*UnsupportedError); ok {
				d.narrows(no)
				continue
			} else if err != nil {
				return nil, err
			}
			out = append(out, broken...)
		}
		return out, nil
	}
	return nil, &SchemaError{s.at, "is " + kindOf(s.value) + ", want an object or a boolean"}
}

// complement is the schema of what s does not allow.
func complement(s source) source {
	return source{s.at + "\x00not", map[string]any{"not": s.value}}
}

// breaking returns the values that one keyword of v refuses.
func (d *document) breaking(at string, v map[string]any, keyword string, within []string) ([]flat, error) {
	own := func() (flat, error) { return d.own(at, map[string]any{keyword: v[keyword]}) }
	f := anything()
	switch keyword {
	case "type":
		g, err := own()
		f.types &^= g.types
		return []flat{f}, err
	case "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum":
		g, err := own()
		f.types = typeNumber
		f.high, f.openHigh, f.low, f.openLow = g.low, !g.openLow, g.high, !g.openHigh
		return []flat{f}, err
	case "minLength", "maxLength":
		g, err := own()
		if err != nil || keyword == "minLength" && g.minLen == 0 {
			return nil, err // nothing is shorter
		}
		f.types, f.minLen, f.maxLen = typeString, g.maxLen+1, g.minLen-1
		return []flat{f}, nil
	case "pattern":
		g, err := own()
		f.types, f.unlike = typeString, g.patterns
		return []flat{f}, err
	case "$ref", "$dynamicRef", "$recursiveRef":
		return d.breakingRef(at, v, keyword, within)
	case "minItems", "maxItems":
		g, err := own()
		if err != nil || keyword == "minItems" && g.minItems == 0 {
			return nil, err
		}
		f.types, f.minItems, f.maxItems = typeArray, g.maxItems+1, g.minItems-1
		return []flat{f}, nil
	case "required":
		g, err := own()
		var out []flat
		for _, name := range g.required {
			f := absent(name)
			f.types = typeObject
			out = append(out, f)
		}
		return out, err
	case "properties":
		g, err := own()
		var out []flat
		for _, name := range g.names {
			f := present(name)
			f.types, f.properties[name] = typeObject, all{complement(g.properties[name][0])}
			out = append(out, f)
		}
		return out, err
	case "additionalProperties":
		return d.breakingAdditional(at, v)
	case "minProperties", "maxProperties":
		g, err := own()
		if err != nil || keyword == "minProperties" && g.minProps == 0 {
			return nil, err
		}
		f.types, f.minProps, f.maxProps = typeObject, g.maxProps+1, g.minProps-1
		return []flat{f}, nil
	case "const", "enum":
		g, err := own()
		if err != nil {
			return nil, err
		}
		return unlisted(at, keyword, g.enum)
	case "not":
		return d.alternatives(source{under(at, keyword), v[keyword]}, within)
	case "allOf", "anyOf":
		list, err := d.list(at, v, keyword)
		if err != nil {
			return nil, err
		}
		return d.breakingList(at, keyword, list, within)
	case "items", "prefixItems", "contains":
		return d.breakingItems(at, v, keyword)
	case "oneOf":
		return d.breakingOneOf(at, v, within)
	case "if", "then", "else":
		return d.breakingBranches(at, v, keyword, within)
	case "patternProperties", "propertyNames", "dependentRequired":
		return d.breakingNames(at, v, keyword)
	case "minContains", "maxContains", "additionalItems": // with contains, or items
		return nil, nil
	case "$defs", "definitions", "$schema", "$id", "$anchor", "$dynamicAnchor", "$vocabulary":
		return nil, nil
	case "format":
		g, err := own()
		if err != nil || len(g.patterns) == 0 {
			return nil, err // of no standard: an annotation
		}
	}
	if !asserts(keyword) {
		return nil, nil
	}
	return nil, &UnsupportedError{at, "not", keyword + " has no complement here"}
}

// breakingRef is what the schema that v names refuses.
func (d *document) breakingRef(at string, v map[string]any, keyword string, within []string) ([]flat, error) {
	ref, ok := v[keyword].(string)
	if !ok {
		return nil, &SchemaError{at, keyword + " is no string"}
	}
	to, err := d.resolve(at, ref)
	if err != nil {
		return nil, err
	}
	if keyword != "$ref" {
		to = d.dynamically(at, keyword, ref, to)
	}
	to.at = d.enter(to.at)
	name := to.at + "\x00not"
	if slices.Contains(within, name) {
		return nil, &SchemaError{to.at, "refers to itself and to nothing else"}
	}
	return d.negate(to, append(slices.Clone(within), name))
}

// breakingList is anything that one schema of an allOf refuses, or all of an anyOf.
func (d *document) breakingList(at, keyword string, list []source, within []string) ([]flat, error) {
	var out []flat
	for i, s := range list {
		broken, err := d.negate(s, within)
		switch {
		case err != nil:
			return nil, err
		case keyword == "allOf" || i == 0:
			out = append(out, broken...)
		default:
			if out, err = d.product(at, out, broken); err != nil {
				return nil, err
			}
		}
	}
	return out, nil
}
