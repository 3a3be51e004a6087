package jsonmask

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"foretoken/strict"
)

// A source is a schema where it stands in its document.
type source struct {
	at    string // JSON pointer
	value any    // bool or map[string]any
}

// A document is a parsed schema with all that its references may name.
type document struct {
	root  any
	bases []base
	named map[string]source // by URI, or URI#anchor
	// dynamic counts the schemas that a $dynamicAnchor names.
	dynamic    map[string]int
	recursives int // schemas with $recursiveAnchor
	// first is where the text first has a name; what is escaped is not there.
	first map[string]int
	// looks says that some unevaluatedItems or unevaluatedProperties asks what other
	// keywords have looked at.
	looks   bool
	dialect dialect
	// narrow is why some valid texts are left out: the first complement or part of one
	// that is not known.
	narrow   error
	narrowed int             // how many of those there are
	deads    map[string]bool // by the schemas together
}

// A base is where references are relative to another URI: at and below at.
type base struct {
	at  string
	uri *url.URL
}

func parse(schema []byte) (*document, error) {
	var whole json.RawMessage
	if err := strict.JSON(schema, &whole); err != nil {
		return nil, &SchemaError{"", err.Error()}
	}
	j := json.NewDecoder(bytes.NewReader(schema))
	j.UseNumber()
	d := &document{named: map[string]source{}, dynamic: map[string]int{}, first: firstNames(schema)}
	if err := j.Decode(&d.root); err != nil {
		return nil, &SchemaError{"", strict.Explain(err).Error()}
	}
	d.looks = bytes.Contains(schema, []byte(`"unevaluated`))
	d.bases = []base{{"", &url.URL{}}}
	d.named[""] = source{"", d.root}
	if root, ok := d.root.(map[string]any); ok {
		name, _ := root["$schema"].(string)
		d.dialect, _ = dialectOf(name)
	} else {
		d.dialect = draft2020
	}
	return d, d.index("", &url.URL{}, d.root)
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

// resolve finds what ref, which stands at at, names.
func (d *document) resolve(at, ref string) (source, error) {
	from := d.bases[0]
	for _, b := range d.bases {
		if len(b.at) >= len(from.at) && (at == b.at || strings.HasPrefix(at, b.at+"/")) {
			from = b
		}
	}
	to, err := from.uri.Parse(ref)
	if err != nil {
		return source{}, &SchemaError{at, fmt.Sprintf("$ref %q: %v", ref, err)}
	}
	fragment := to.Fragment
	to.Fragment, to.RawFragment = "", ""
	uri := to.String()
	if fragment != "" && fragment[0] != '/' {
		uri, fragment = uri+"#"+fragment, ""
	}
	found, ok := d.named[uri]
	if !ok {
		return source{}, &UnsupportedError{at, "$ref", fmt.Sprintf("%q is not in this schema", ref)}
	}
	if fragment == "" {
		return found, nil
	}
	value, ok := pointed(found.value, fragment[1:])
	if !ok {
		return source{}, &SchemaError{at, fmt.Sprintf("$ref %q names nothing", ref)}
	}
	return source{found.at + fragment, value}, nil
}

// recursive refuses a $recursiveRef that names to only until it is known how it was
// reached.
func (d *document) recursive(at string, to source) error {
	v, _ := to.value.(map[string]any)
	if v["$recursiveAnchor"] == true && d.recursives > 1 {
		return &UnsupportedError{at, "$recursiveRef", fmt.Sprintf("%d schemas have a $recursiveAnchor", d.recursives)}
	}
	return nil
}

// settled refuses a $dynamicRef that names to only until it is known how it was
// reached: where several schemas have the anchor.
func (d *document) settled(at, ref string, to source) error {
	_, name, _ := strings.Cut(ref, "#")
	if v, ok := to.value.(map[string]any); ok && name != "" && v["$dynamicAnchor"] == name && d.dynamic[name] > 1 {
		return &UnsupportedError{at, "$dynamicRef", fmt.Sprintf("%d schemas have the anchor %s", d.dynamic[name], name)}
	}
	return nil
}

// pointed is what a JSON pointer finds in value.
func pointed(value any, path string) (any, bool) {
	for _, key := range strings.Split(path, "/") {
		key = strings.NewReplacer("~1", "/", "~0", "~").Replace(key)
		switch v := value.(type) {
		case map[string]any:
			next, ok := v[key]
			if !ok {
				return nil, false
			}
			value = next
		case []any:
			i, err := strconv.Atoi(key)
			if err != nil || i < 0 || i >= len(v) {
				return nil, false
			}
			value = v[i]
		default:
			return nil, false
		}
	}
	return value, true
}

// under is the pointer of key within at.
func under(at string, key string) string {
	return at + "/" + strings.NewReplacer("~", "~0", "/", "~1").Replace(key)
}
