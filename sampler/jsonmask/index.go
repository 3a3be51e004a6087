package jsonmask

import (
	"fmt"
	"maps"
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

// index finds what $id and $anchor name in a schema or a list of schemas within a resource.
func (d *document) index(at string, in *resource, value any) error {
	switch v := value.(type) {
	case []any:
		for i, x := range v {
			if err := d.index(under(at, strconv.Itoa(i)), in, x); err != nil {
				return err
			}
		}
	case map[string]any:
		in, err := d.identify(at, in, v)
		for _, key := range holding {
			if x, ok := v[key]; ok && err == nil {
				err = d.index(under(at, key), in, x)
			}
		}
		for _, key := range byName {
			members, _ := v[key].(map[string]any)
			for _, name := range slices.Sorted(maps.Keys(members)) {
				if err == nil {
					err = d.index(under(under(at, key), name), in, members[name])
				}
			}
		}
		return err
	}
	return nil
}

// identify notes what the schema v calls itself and what it refers to, and returns the
// resource that it is in: its own, if it has an $id.
func (d *document) identify(at string, in *resource, v map[string]any) (*resource, error) {
	spoken := in.dialect
	if name, ok := v["$schema"].(string); ok {
		if found, ok := dialectOf(name); ok {
			spoken = found
		}
	}
	id, anchor := spoken.name(v)
	if id != "" {
		to, err := in.uri.Parse(id)
		if err != nil {
			return nil, &SchemaError{at, fmt.Sprintf("$id %q: %v", id, err)}
		}
		in = &resource{at: at, uri: to, dialect: spoken}
		d.resources = append(d.resources, in)
		if err := d.note(at, strings.TrimSuffix(to.String(), "#"), v); err != nil {
			return nil, err
		}
	}
	if v["$recursiveAnchor"] == true && spoken == draft2019 {
		in.names("", source{at, v})
	}
	if name, ok := v["$dynamicAnchor"].(string); ok && spoken == draft2020 {
		in.names(name, source{at, v})
	}
	d.wants(in, v)
	anchors := []any{v["$anchor"], v["$dynamicAnchor"]}
	if anchor != "" {
		anchors = append(anchors, anchor)
	}
	for _, x := range anchors {
		if name, ok := x.(string); ok {
			if err := d.note(at, strings.TrimSuffix(in.uri.String(), "#")+"#"+name, v); err != nil {
				return nil, err
			}
		}
	}
	return in, nil
}

// note makes name a name of the schema v at at.
func (d *document) note(at, name string, v map[string]any) error {
	if other, ok := d.named[name]; ok && other.at != at {
		return &SchemaError{at, fmt.Sprintf("%q is the name of #%s already", name, other.at)}
	}
	d.named[name] = source{at, v}
	return nil
}

// names makes name a dynamic anchor of a schema of r.
func (r *resource) names(name string, s source) {
	if r.dynamic == nil {
		r.dynamic = map[string]source{}
	}
	r.dynamic[name] = s
}
