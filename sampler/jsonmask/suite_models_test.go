//go:build models

package jsonmask

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"foretoken/model/modeltest"
)

// A suiteGroup is a schema of the JSON-Schema-Test-Suite with instances.
type suiteGroup struct {
	Description string
	Schema      json.RawMessage
	Tests       []struct {
		Description string
		Data        json.RawMessage
		Valid       bool
	}
}

// suite reads the folder of a draft, its optional part too.
func suite(t *testing.T, draft string) map[string][]suiteGroup {
	groups := map[string][]suiteGroup{}
	archived(t, "/tests/"+draft+"/", func(name string, data []byte) {
		var g []suiteGroup
		if err := json.Unmarshal(data, &g); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		groups[name] = g
	})
	return groups
}

// elsewhere are the documents that the suite's schemas refer to, by URI.
func elsewhere(t *testing.T) map[string][]byte {
	out := map[string][]byte{}
	archived(t, "/remotes/", func(name string, data []byte) { out["http://localhost:1234/"+name] = data })
	return out
}

// archived reads the JSON files of a folder of the source archive of the Python package
// jsonschema 4.26.0, which scripts/schemas.sh gets.
func archived(t *testing.T, folder string, read func(name string, data []byte)) {
	f, err := os.Open(filepath.Join(modeltest.Real(t), "jsonschema-4.26.0.tar.gz"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	for r := tar.NewReader(z); ; {
		h, err := r.Next()
		if err == io.EOF {
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		_, name, ok := strings.Cut(h.Name, folder)
		if !ok || !strings.HasSuffix(name, ".json") {
			continue
		}
		data, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		read(name, data)
	}
}

// The part of the folder that every validator has to pass, where formats are words. Of items
// that differ not every list is allowed.
func required(name string) bool {
	return !strings.Contains(name, "/") && name != "format.json" && name != "uniqueItems.json"
}

// otherwise are valid instances spelled otherwise than what is listed.
var otherwise = map[string]bool{`{"foo":"bar","baz":"bax"}`: true, `[0.0]`: true, `[1.0]`: true}

// drafts are the suite's folders, and their $schema where a schema has none.
var drafts = map[string]string{"draft7": "http://json-schema.org/draft-07/schema#", "draft2019-09": "https://json-schema.org/draft/2019-09/schema",
	"draft2020-12": "https://json-schema.org/draft/2020-12/schema"}

// An instance that the files say is invalid is never accepted, and one that they say is
// valid is, in compact form.
func TestSchemaSuite(t *testing.T) {
	for draft, uri := range drafts {
		t.Run(draft, func(t *testing.T) { suiteOf(t, draft, uri) })
	}
}

func suiteOf(t *testing.T, draft, uri string) {
	groups := suite(t, draft)
	if len(groups) < 55 {
		t.Fatalf("%d files, want the whole folder", len(groups))
	}
	schemas, unsupported, accepted, refused := 0, map[string]int{}, 0, 0
	others := elsewhere(t)
	for _, name := range slices.Sorted(maps.Keys(groups)) {
		for _, g := range groups[name] {
			schemas++
			schema, err := Bundle(named(g.Schema, uri), func(uri string) ([]byte, error) { return others[uri], nil })
			if err != nil {
				t.Fatal(err)
			}
			e, err := Schema(toyVocabulary(), schema, Options{Blanks: MaxBlanks})
			var no *UnsupportedError
			var bad *SchemaError
			switch {
			case errors.As(err, &no):
				unsupported[no.Keyword]++
				t.Logf("unsupported: %s, %s: %v", name, g.Description, err)
				continue
			case errors.As(err, &bad) && !strings.Contains(bad.Why, "no text"):
				t.Errorf("%s, %s: %v", name, g.Description, err)
			}
			for _, c := range g.Tests {
				var text bytes.Buffer
				json.Compact(&text, c.Data)
				got := err == nil && accepts(t, e.(state), text.String())
				at := fmt.Sprintf("%s, %s, %s: %s", name, g.Description, c.Description, text.String())
				switch {
				case got && !c.Valid && name == "optional/content.json":
					t.Logf("%s: contents are annotations here", at)
				case got && !c.Valid:
					t.Errorf("%s is accepted and not valid", at)
				case got:
					accepted++
				case c.Valid:
					if refused++; required(name) && !otherwise[text.String()] {
						t.Errorf("%s is valid and refused", at)
						continue
					}
					t.Logf("%s is valid and refused", at)
				}
			}
		}
	}
	n := 0
	for _, k := range unsupported {
		n += k
	}
	t.Logf("%d files, %d schemas, %d unsupported (%.1f %%): %v", len(groups), schemas, n, 100*float64(n)/float64(schemas), unsupported)
	t.Logf("valid instances: %d accepted, %d refused", accepted, refused)
	if n*100 > 8*schemas {
		t.Errorf("%d of %d schemas are unsupported, want at most 8 %%", n, schemas)
	}
}

// named is a schema with the $schema of its folder, where it has none.
func named(schema []byte, uri string) []byte {
	var v map[string]json.RawMessage
	if json.Unmarshal(schema, &v) != nil || v == nil || v["$schema"] != nil {
		return schema
	}
	rest := bytes.TrimPrefix(bytes.TrimSpace(schema), []byte("{"))
	if len(v) > 0 {
		uri += `",`
	} else {
		uri += `"`
	}
	return append([]byte(`{"$schema":"`+uri), rest...)
}
