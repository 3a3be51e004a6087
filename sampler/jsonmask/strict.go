package jsonmask

import "maps"

// onlyDeclared refuses every name that f does not name and says nothing of, if the
// options ask for that. Complements are made before, of the schema as it stands, so
// strict texts are some of the schema's own.
func (c *compiler) onlyDeclared(f *flat) {
	if !c.options.Strict || f.closed {
		return
	}
	properties := maps.Clone(f.properties)
	for _, name := range f.names {
		properties[name] = f.property(name)
	}
	f.properties, f.declared = properties, f.names
	f.unevaluatedNames(never)
}
