package jsonmask

import (
	"fmt"
	"maps"
	"strings"
)

// A dialect is a draft of JSON Schema, by age.
type dialect int

const (
	draft4 dialect = iota
	draft6
	draft7
	draft2019
	draft2020
)

// dialects are the drafts by their URI, without scheme and host.
var dialects = map[string]dialect{"draft-04/schema": draft4, "draft-06/schema": draft6, "draft-07/schema": draft7,
	"draft/2019-09/schema": draft2019, "draft/2020-12/schema": draft2020, "schema": draft2020}

// dialectOf is the draft that a $schema names.
func dialectOf(uri string) (dialect, bool) {
	for _, scheme := range []string{"http", "https"} {
		path, ours := strings.CutPrefix(strings.TrimSuffix(uri, "#"), scheme+"://json-schema.org/")
		if found, known := dialects[path]; ours && known {
			return found, true
		}
	}
	return draft2020, false
}

// since are the drafts that keywords are of first; before, they are annotations.
var since = map[string]dialect{"const": draft6, "contains": draft6, "propertyNames": draft6, "$id": draft6,
	"if": draft7, "then": draft7, "else": draft7,
	"$anchor": draft2019, "$vocabulary": draft2019, "$recursiveRef": draft2019, "minContains": draft2019, "maxContains": draft2019, "dependentRequired": draft2019,
	"dependentSchemas": draft2019, "unevaluatedItems": draft2019, "unevaluatedProperties": draft2019,
	"prefixItems": draft2020, "$dynamicRef": draft2020, "$dynamicAnchor": draft2020}

// modern are the keywords of v that its draft knows, as the newest spells them.
func (d dialect) modern(v map[string]any) map[string]any {
	if d == draft2020 {
		return v
	}
	if ref, ok := v["$ref"]; ok && d <= draft7 {
		return map[string]any{"$ref": ref} // what stands beside it says nothing
	}
	v = maps.Clone(v)
	maps.DeleteFunc(v, func(keyword string, _ any) bool { return since[keyword] > d })
	if d == draft4 {
		openBound(v, "minimum", "exclusiveMinimum")
		openBound(v, "maximum", "exclusiveMaximum")
	}
	return v
}

// openBound turns draft-04's bound that a boolean opens into an open bound.
func openBound(v map[string]any, bound, open string) {
	is, ok := v[open].(bool)
	if !ok {
		return
	}
	delete(v, open)
	if n, ok := v[bound]; ok && is {
		v[open] = n
		delete(v, bound)
	}
}

// name returns the name that v gives itself: a URI, an anchor, or none.
func (d dialect) name(v map[string]any) (uri, anchor string) {
	keyword := "$id"
	if d == draft4 {
		keyword = "id"
	}
	id, _ := v[keyword].(string)
	if _, ok := v["$ref"]; ok && d <= draft7 {
		return "", ""
	}
	if d <= draft7 && strings.HasPrefix(id, "#") {
		return "", id[1:]
	}
	return id, ""
}

// readDialect refuses drafts that are not known, and a second one in a document.
func readDialect(r *reader, keyword string, value any) {
	name, _ := value.(string)
	found, ok := dialectOf(name)
	switch {
	case !ok:
		r.err = &UnsupportedError{r.at, keyword, fmt.Sprintf("%v is none of draft-04, -06, -07, 2019-09 and 2020-12", value)}
	case found != r.dialect:
		r.err = &UnsupportedError{r.at, keyword, "another draft than the schema around it, in a schema without an $id of its own"}
	}
}
