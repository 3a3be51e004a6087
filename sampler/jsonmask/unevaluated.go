package jsonmask

import (
	"maps"
	"slices"
)

// unevaluated holds what no other keyword of v, or of what applies in place with
// it, has looked at.
func (d *document) unevaluated(at string, v map[string]any, out []flat) []flat {
	for i := range out {
		f := &out[i]
		if s, ok := v["unevaluatedProperties"]; ok && !f.closed {
			f.unevaluatedNames(source{under(at, "unevaluatedProperties"), s})
		}
		if s, ok := v["unevaluatedItems"]; ok && !f.closedItems {
			f.unevaluatedItems(source{under(at, "unevaluatedItems"), s}, d.dialect(at) >= draft2020)
		}
	}
	return out
}

func (f *flat) unevaluatedNames(s source) {
	f.closed = true
	part := members{at: s.at, declared: f.declared, additional: all{s}}
	for _, m := range f.parts {
		for _, p := range m.patterns {
			if m.evaluates {
				part.patterns = append(part.patterns, namePattern{expr: p.expr})
			}
		}
	}
	if len(part.patterns) > 0 {
		f.parts = append(slices.Clone(f.parts), part)
		return
	}
	f.properties = maps.Clone(f.properties)
	for _, name := range f.names {
		if !slices.Contains(f.declared, name) {
			f.properties[name] = join(f.properties[name], all{s})
		}
	}
	f.additional = join(f.additional, all{s})
}

// unevaluatedItems holds the items after those of prefixItems; what a contains
// counts it has looked at, where counted says so: from draft 2020-12 on.
func (f *flat) unevaluatedItems(s source, counted bool) {
	f.closedItems = true
	if !slices.ContainsFunc(f.contains, func(c contains) bool { return !c.silent }) || !counted {
		f.prefix = slices.Clone(f.prefix)
		for i := f.looked; i < len(f.prefix); i++ {
			f.prefix[i] = join(f.prefix[i], all{s})
		}
		f.items = join(f.items, all{s})
		return
	}
	left := leftover{schema: s, from: f.looked}
	for _, c := range f.contains {
		if !c.silent {
			left.unless = append(left.unless, c.schema.at)
		}
	}
	f.leftovers = append(slices.Clone(f.leftovers), left)
}
