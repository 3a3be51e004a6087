package jsonmask

import (
	"bytes"
	"encoding/json"
	"maps"
	"net/url"
	"slices"

	"foretoken/strict"
)

// A source is a schema where it stands in its document.
type source struct {
	at    string // JSON pointer
	value any    // bool or map[string]any
}

// A document is a parsed schema with all that its references may name.
type document struct {
	root      any
	resources []*resource
	named     map[string]source // by URI, or URI#anchor
	wanted    []string          // URIs that references name
	missing   []string          // those of no document that is known
	scoped    bool              // a dynamic anchor names several schemas
	scopes    []map[string]source
	scopeOf   map[string]int
	// first is where the text first has a name; what is escaped is not there.
	first map[string]int
	// looks says that some unevaluatedItems or unevaluatedProperties asks what other
	// keywords have looked at.
	looks bool
	// narrow is why some valid texts are left out: the first complement or part of one
	// that is not known.
	narrow   error
	narrowed int             // how many of those there are
	deads    map[string]bool // by the schemas together
}

func parse(schema []byte) (*document, error) {
	var whole json.RawMessage
	if err := strict.JSON(schema, &whole); err != nil {
		return nil, &SchemaError{"", err.Error()}
	}
	j := json.NewDecoder(bytes.NewReader(schema))
	j.UseNumber()
	d := &document{named: map[string]source{}, first: firstNames(schema)}
	if err := j.Decode(&d.root); err != nil {
		return nil, &SchemaError{"", strict.Explain(err).Error()}
	}
	d.looks = bytes.Contains(schema, []byte(`"unevaluated`))
	root := &resource{uri: &url.URL{}, dialect: draft2020}
	if v, ok := d.root.(map[string]any); ok {
		name, _ := v["$schema"].(string)
		root.dialect, _ = dialectOf(name)
	}
	d.resources = []*resource{root}
	d.named[""] = source{"", d.root}
	err := d.index("", root, d.root)
	if err == nil {
		err = d.carry()
	}
	d.tellScopes()
	return d, err
}

// kindOf says what stands where a schema should.
func kindOf(value any) string {
	switch value.(type) {
	case json.Number:
		return "a number"
	case string:
		return "text"
	case []any:
		return "a list"
	}
	return "null"
}

// firstNames returns where each name of an object stands first.
func firstNames(schema []byte) map[string]int {
	out := map[string]int{}
	for i := 0; i < len(schema); i++ {
		if schema[i] != '"' {
			continue
		}
		from := i + 1
		for i = from; i < len(schema) && schema[i] != '"'; i++ {
			if schema[i] == '\\' {
				i++
			}
		}
		if i < len(schema) && bytes.HasPrefix(bytes.TrimLeft(schema[i+1:], white), []byte(":")) {
			if _, ok := out[string(schema[from:i])]; !ok {
				out[string(schema[from:i])] = from
			}
		}
	}
	return out
}

// inOrder returns the names of m as the text has them.
func (d *document) inOrder(m map[string]any) []string {
	names := slices.Sorted(maps.Keys(m))
	slices.SortStableFunc(names, func(a, b string) int { return d.first[a] - d.first[b] })
	return names
}
