package jsonmask

import (
	"maps"
	"slices"
)

// unevaluated holds what no other keyword of v, or of what applies in place with
// it, has looked at. Of an anyOf each alternative counts alone, so some values
// that hold two of them are refused.
func unevaluated(at string, v map[string]any, out []flat) []flat {
	for i := range out {
		f := &out[i]
		if s, ok := v["unevaluatedProperties"]; ok && !f.closed {
			rest := all{{under(at, "unevaluatedProperties"), s}}
			f.properties = maps.Clone(f.properties)
			for _, name := range f.names {
				if !slices.Contains(f.declared, name) {
					f.properties[name] = join(f.properties[name], rest)
				}
			}
			f.additional, f.closed = join(f.additional, rest), true
		}
		if s, ok := v["unevaluatedItems"]; ok && !f.closedItems {
			f.items, f.closedItems = join(f.items, all{{under(at, "unevaluatedItems"), s}}), true
		}
	}
	return out
}
