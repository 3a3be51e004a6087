package jsonmask

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"net/url"
	"slices"
	"strings"
	"sync"
)

// The schemas of schemas, drafts 4 to 2020-12, by URI: what json-schema.org publishes under
// the BSD licence and the Academic Free License 3.0, without annotations.
// scripts/metaschemas.py writes them.
//
//go:embed metaschemas.json
var metaschemaText []byte

var metaschemas = sync.OnceValue(func() (out map[string]any) {
	j := json.NewDecoder(bytes.NewReader(metaschemaText))
	j.UseNumber()
	if err := j.Decode(&out); err != nil {
		panic("jsonmask: meta-schemas: " + err.Error())
	}
	return out
})

// carry adds the meta-schemas that references name, and those that they refer to. They
// stand at their URI and #.
func (d *document) carry() error {
	for len(d.wanted) > 0 {
		uri := d.wanted[len(d.wanted)-1]
		d.wanted = d.wanted[:len(d.wanted)-1]
		found, ok := metaschemas()[uri]
		if _, known := d.named[uri]; known || !ok {
			if !known && !slices.Contains(d.missing, uri) {
				d.missing = append(d.missing, uri)
			}
			continue
		}
		at, err := url.Parse(uri)
		if err != nil {
			return &SchemaError{"", err.Error()}
		}
		name, _ := found.(map[string]any)["$schema"].(string)
		spoken, _ := dialectOf(name)
		if err := d.index(uri+"#", &resource{uri: at, dialect: spoken}, found); err != nil {
			return err
		}
	}
	return nil
}

// wants notes the documents that the references of v are to.
func (d *document) wants(in *resource, v map[string]any) {
	for _, keyword := range references {
		if ref, ok := v[keyword].(string); ok {
			if to, err := in.uri.Parse(ref); err == nil && !in.above(ref) {
				uri, _, _ := strings.Cut(to.String(), "#")
				d.wanted = append(d.wanted, uri)
			}
		}
	}
}
