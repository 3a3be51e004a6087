package jsonmask

import (
	"fmt"
	"strconv"
	"strings"
)

// resolve finds what ref, which stands at at, names, in the scope that at is in.
func (d *document) resolve(at, ref string) (source, error) {
	n, pointer := split(at)
	from := d.within(pointer)
	to, err := from.uri.Parse(ref)
	if from.above(ref) {
		return source{}, &UnsupportedError{at, "$ref", fmt.Sprintf("%q is in another folder", ref)}
	}
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
		return source{}, &UnsupportedError{at, "$ref", fmt.Sprintf("%q is not in this schema, nor in a file beside it", ref)}
	}
	if fragment == "" {
		return source{in(n, found.at), found.value}, nil
	}
	value, ok := pointed(found.value, fragment[1:])
	if !ok {
		return source{}, &SchemaError{at, fmt.Sprintf("$ref %q names nothing", ref)}
	}
	return source{in(n, found.at+fragment), value}, nil
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
