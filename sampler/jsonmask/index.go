package jsonmask

import (
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"
)

// byName are keywords whose members are schemas, whatever their names; holding those that
// hold a schema or a list of them. What else is there names nothing.
var (
	byName  = []string{"properties", "patternProperties", "$defs", "definitions", "dependentSchemas", "dependencies"}
	holding = []string{"not", "if", "then", "else", "allOf", "anyOf", "oneOf", "items", "additionalItems", "prefixItems", "contains", "additionalProperties",
		"propertyNames", "unevaluatedItems", "unevaluatedProperties", "contentSchema"}
)

// index finds what $id and $anchor name in a schema or a list of schemas.
func (d *document) index(at string, uri *url.URL, value any) error {
	switch v := value.(type) {
	case []any:
		for i, x := range v {
			if err := d.index(under(at, strconv.Itoa(i)), uri, x); err != nil {
				return err
			}
		}
	case map[string]any:
		uri, err := d.identify(at, uri, v)
		for _, key := range holding {
			if x, ok := v[key]; ok && err == nil {
				err = d.index(under(at, key), uri, x)
			}
		}
		for _, key := range byName {
			members, _ := v[key].(map[string]any)
			for _, name := range slices.Sorted(maps.Keys(members)) {
				if err == nil {
					err = d.index(under(under(at, key), name), uri, members[name])
				}
			}
		}
		return err
	}
	return nil
}

// identify notes what the schema v calls itself, and returns the URI that references
// in it are relative to.
func (d *document) identify(at string, uri *url.URL, v map[string]any) (*url.URL, error) {
	note := func(name string) error {
		if other, ok := d.named[name]; ok && other.at != at {
			return &SchemaError{at, fmt.Sprintf("%q is the name of #%s already", name, other.at)}
		}
		d.named[name] = source{at, v}
		return nil
	}
	id, anchor := d.name(v)
	if anchor != "" {
		if err := note(uri.String() + "#" + anchor); err != nil {
			return nil, err
		}
	}
	if v["$recursiveAnchor"] == true {
		d.recursives++
	}
	if id != "" {
		to, err := uri.Parse(id)
		if err != nil {
			return nil, &SchemaError{at, fmt.Sprintf("$id %q: %v", id, err)}
		}
		uri = to
		d.bases = append(d.bases, base{at, uri})
		if err := note(strings.TrimSuffix(uri.String(), "#")); err != nil {
			return nil, err
		}
	}
	for _, keyword := range []string{"$anchor", "$dynamicAnchor"} {
		if name, ok := v[keyword].(string); ok {
			if err := note(uri.String() + "#" + name); err != nil {
				return nil, err
			}
		}
	}
	if name, ok := v["$dynamicAnchor"].(string); ok {
		d.dynamic[name]++
	}
	return uri, nil
}
