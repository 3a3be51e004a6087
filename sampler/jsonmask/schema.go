package jsonmask

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/url"
	"strconv"
	"strings"
)

// An UnsupportedError is a keyword that engines do not know how to hold a text
// to. It is refused when the request is made, never ignored.
type UnsupportedError struct {
	At      string // JSON pointer of the schema
	Keyword string
	Why     string
}

// Error implements error.
func (e *UnsupportedError) Error() string {
	return fmt.Sprintf("jsonmask: schema #%s: %s is not supported: %s", e.At, e.Keyword, e.Why)
}

// A SchemaError is a schema that is no schema.
type SchemaError struct {
	At  string // JSON pointer
	Why string
}

// Error implements error.
func (e *SchemaError) Error() string { return fmt.Sprintf("jsonmask: schema #%s: %s", e.At, e.Why) }

// A source is a schema where it stands in its document.
type source struct {
	at    string // JSON pointer
	value any    // bool or map[string]any
}

// A document is a parsed schema with all that its references may name.
type document struct{ root any }

func parse(schema []byte) (*document, error) {
	d := json.NewDecoder(bytes.NewReader(schema))
	d.UseNumber()
	var root any
	if err := d.Decode(&root); err != nil {
		return nil, &SchemaError{"", err.Error()}
	}
	if _, err := d.Token(); err != io.EOF {
		return nil, &SchemaError{"", "something follows the schema"}
	}
	return &document{root}, nil
}

// resolve finds what ref, which stands at at, names.
func (d *document) resolve(at, ref string) (source, error) {
	path, ok := strings.CutPrefix(ref, "#")
	if !ok || path != "" && path[0] != '/' {
		return source{}, &UnsupportedError{at, "$ref", fmt.Sprintf("%q is not a pointer into this schema", ref)}
	}
	path, err := url.PathUnescape(path)
	if err != nil {
		return source{}, &SchemaError{at, fmt.Sprintf("$ref %q: %v", ref, err)}
	}
	value := d.root
	if path != "" {
		for _, key := range strings.Split(path[1:], "/") {
			key = strings.NewReplacer("~1", "/", "~0", "~").Replace(key)
			switch v := value.(type) {
			case map[string]any:
				value, ok = v[key]
			case []any:
				i, err := strconv.Atoi(key)
				if ok = err == nil && i >= 0 && i < len(v); ok {
					value = v[i]
				}
			default:
				ok = false
			}
			if !ok {
				return source{}, &SchemaError{at, fmt.Sprintf("$ref %q names nothing", ref)}
			}
		}
	}
	return source{path, value}, nil
}

// under is the pointer of key within at.
func under(at string, key string) string {
	return at + "/" + strings.NewReplacer("~", "~0", "/", "~1").Replace(key)
}

// unsupported are keywords of the standard that are refused, with the reason.
var unsupported = map[string]string{
	"not":                   "a complement has no grammar",
	"if":                    "a condition needs a complement",
	"patternProperties":     "names by pattern",
	"propertyNames":         "names by schema",
	"dependentSchemas":      "a condition on a name",
	"dependencies":          "a condition on a name",
	"uniqueItems":           "items would have to be remembered",
	"contains":              "items would have to be counted by schema",
	"multipleOf":            "divisibility has no small automaton",
	"unevaluatedProperties": "depends on other schemas",
	"unevaluatedItems":      "depends on other schemas",
	"$dynamicRef":           "only $ref",
	"$recursiveRef":         "only $ref",
	"$anchor":               "only pointers",
	"$dynamicAnchor":        "only pointers",
	"$vocabulary":           "only the standard one",
	"additionalItems":       "use items beside prefixItems",
}
