package jsonmask

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"foretoken/strict"
)

// maxBundled and maxBundle are how many documents one schema may refer to, with those that
// they refer to, and the bytes of all.
const (
	maxBundled = 64
	maxBundle  = 32 << 20
)

// Bundle returns a schema with the documents that it refers to among its definitions, each
// under its URI as $id (JSON Schema Core 2020-12, section 9.3), and those that these refer
// to. find returns the document of a URI, nil where there is none: a reference to it is
// refused when the schema is read. What refers to nothing else is returned as it is.
func Bundle(schema []byte, find func(uri string) ([]byte, error)) ([]byte, error) {
	tried := map[string]bool{}
	var parts []bundled
	whole := schema
	for {
		d, err := parse(whole)
		if err != nil {
			return schema, nil // which reading it says better
		}
		before := len(parts)
		for _, uri := range d.missing {
			if tried[uri] {
				continue
			}
			tried[uri] = true
			data, err := find(uri)
			if err == nil && data != nil {
				data, err = d.resources[0].dialect.renamed(uri, data)
			}
			if err != nil {
				return nil, err
			}
			if data != nil {
				parts = append(parts, bundled{uri, data})
			}
		}
		if len(parts) == before {
			return whole, nil
		}
		if whole, err = d.assemble(schema, parts); err != nil {
			return nil, err
		}
	}
}

// A bundled is a document by its URI.
type bundled struct {
	uri  string
	data []byte
}

// assemble writes parts among the definitions of a schema.
func (d *document) assemble(schema []byte, parts []bundled) ([]byte, error) {
	if len(parts) > maxBundled {
		return nil, &UnsupportedError{"", "$ref", fmt.Sprintf("more than %d other documents", maxBundled)}
	}
	var b bytes.Buffer
	for i, p := range parts {
		if i > 0 {
			b.WriteByte(',')
		}
		name, _ := json.Marshal(p.uri)
		b.Write(name)
		b.WriteByte(':')
		b.Write(p.data)
	}
	if len(schema)+b.Len() > maxBundle {
		return nil, &UnsupportedError{"", "$ref", fmt.Sprintf("with the documents that it names a schema of more than %d MiB", maxBundle>>20)}
	}
	keyword := "$defs"
	if d.resources[0].dialect <= draft7 {
		keyword = "definitions"
	}
	members, err := membersOf(schema)
	if err != nil {
		return nil, err
	}
	i := slices.IndexFunc(members, func(m member) bool { return m.name == keyword })
	if i < 0 {
		members, i = append(members, member{name: keyword, value: []byte("{}")}), len(members)
	}
	held, err := membersOf(members[i].value)
	if err != nil {
		return nil, err
	}
	if len(held) > 0 {
		b.WriteByte(',')
	}
	members[i].value = slices.Concat([]byte("{"), b.Bytes(), bytes.TrimSpace(members[i].value)[1:])
	return written(members), nil
}

// renamed is a document with a URI as its $id, in the keywords of its draft or, where it
// names none, of this one.
func (d dialect) renamed(uri string, data []byte) ([]byte, error) {
	members, err := membersOf(data)
	if err != nil {
		return nil, fmt.Errorf("jsonmask: %s: %w", uri, err)
	}
	texts := map[string]any{}
	for _, m := range members {
		var text string
		if json.Unmarshal(m.value, &text) == nil {
			texts[m.name] = text
		}
	}
	name, _ := texts["$schema"].(string)
	if found, ok := dialectOf(name); ok {
		d = found
	}
	keyword := "$id"
	if d == draft4 {
		keyword = "id"
	}
	if id, ok := texts[keyword].(string); ok && folderOf(id) != folderOf(uri) && strings.Contains(id, "/") {
		return nil, &UnsupportedError{"", "$ref", fmt.Sprintf("%s has the %s %s, want one in the same folder", uri, keyword, id)}
	}
	members = slices.DeleteFunc(members, func(m member) bool { return m.name == keyword })
	id, _ := json.Marshal(uri)
	return written(slices.Insert(members, 0, member{keyword, id})), nil
}

// folderOf is a URI up to its last slash.
func folderOf(uri string) string { return uri[:strings.LastIndexByte(uri, '/')+1] }

// A member is one of an object as its text has it.
type member struct {
	name  string
	value json.RawMessage
}

// membersOf returns the members of an object in order.
func membersOf(object []byte) (out []member, err error) {
	var whole json.RawMessage
	if err := strict.JSON(object, &whole); err != nil {
		return nil, err
	}
	j := json.NewDecoder(bytes.NewReader(object))
	if open, err := j.Token(); err != nil || open != json.Delim('{') {
		return nil, fmt.Errorf("no object, want a schema")
	}
	for j.More() {
		name, err := j.Token()
		if err != nil {
			return nil, err
		}
		m := member{name: name.(string)}
		if err := j.Decode(&m.value); err != nil {
			return nil, err
		}
		out = append(out, m)
	}
	return out, nil
}

func written(members []member) []byte {
	var b bytes.Buffer
	for i, m := range members {
		b.WriteByte("{,"[min(i, 1)])
		name, _ := json.Marshal(m.name)
		b.Write(name)
		b.WriteByte(':')
		b.Write(m.value)
	}
	return append(b.Bytes(), '}')
}
