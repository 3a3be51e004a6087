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

	"github.com/santhosh-tekuri/jsonschema/v6"
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

// suite reads the draft2020-12 folder, its optional part too, from the source archive
// of the Python package jsonschema 4.26.0, which scripts/schemas.sh gets.
func suite(t *testing.T) map[string][]suiteGroup {
	f, err := os.Open(filepath.Join(modeltest.Real(t), "jsonschema-4.26.0.tar.gz"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	groups := map[string][]suiteGroup{}
	for r := tar.NewReader(z); ; {
		h, err := r.Next()
		if err == io.EOF {
			return groups
		}
		if err != nil {
			t.Fatal(err)
		}
		_, name, ok := strings.Cut(h.Name, "/tests/draft2020-12/")
		if !ok || !strings.HasSuffix(name, ".json") {
			continue
		}
		var g []suiteGroup
		if err := json.NewDecoder(r).Decode(&g); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		groups[name] = g
	}
}

// The part of the folder that every validator has to pass, where formats are words.
func required(name string) bool { return !strings.Contains(name, "/") && name != "format.json" }

// patternFiles are judged by what they say themselves: the judge's patterns are not
// ECMA-262's.
var patternFiles = map[string]bool{"pattern.json": true, "patternProperties.json": true, "optional/ecmascript-regex.json": true, "optional/non-bmp-regex.json": true}

// otherwise are valid instances spelled otherwise than what is listed.
var otherwise = map[string]bool{`{"foo":"bar","baz":"bax"}`: true, `[0.0]`: true, `[1.0]`: true}

// An instance that a schema does not allow is never accepted, and one that it
// allows is, in compact form. Formats are narrower than the judge's.
func TestSchemaSuite(t *testing.T) {
	v := toyVocabulary()
	groups := suite(t)
	if len(groups) < 70 {
		t.Fatalf("%d files, want the whole folder", len(groups))
	}
	schemas, unsupported, accepted, refused := 0, map[string]int{}, 0, 0
	for _, name := range slices.Sorted(maps.Keys(groups)) {
		for _, g := range groups[name] {
			schemas++
			e, err := Schema(v, g.Schema)
			never := false
			var no *UnsupportedError
			var bad *SchemaError
			switch {
			case errors.As(err, &no):
				unsupported[no.Keyword]++
				t.Logf("unsupported: %s, %s: %v", name, g.Description, err)
				continue
			case errors.As(err, &bad):
				if !strings.Contains(bad.Why, "no text") {
					t.Errorf("%s, %s: %v", name, g.Description, err)
					continue
				}
				never = true
			}
			var judge *jsonschema.Schema
			if !patternFiles[name] {
				if judge, err = judgeOf(g.Schema, strings.HasPrefix(name, "optional/")); err != nil {
					t.Errorf("%s, %s: %v", name, g.Description, err)
					continue
				}
			}
			for _, c := range g.Tests {
				var text bytes.Buffer
				json.Compact(&text, c.Data)
				instance, err := jsonschema.UnmarshalJSON(bytes.NewReader(c.Data))
				if err != nil {
					t.Fatal(err)
				}
				valid := c.Valid
				if judge != nil {
					valid = judge.Validate(instance) == nil
				}
				got := !never && accepts(t, e.(state), text.String())
				at := fmt.Sprintf("%s, %s, %s: %s", name, g.Description, c.Description, text.String())
				switch {
				case got && !valid:
					t.Errorf("%s is accepted and not valid", at)
				case got:
					accepted++
				case valid:
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
	if n*100 > 15*schemas {
		t.Errorf("%d of %d schemas are unsupported, want at most 15 %%", n, schemas)
	}
}

func judgeOf(schema []byte, formats bool) (*jsonschema.Schema, error) {
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(schema))
	if err != nil {
		return nil, err
	}
	c := jsonschema.NewCompiler()
	c.DefaultDraft(jsonschema.Draft2020)
	if formats {
		c.AssertFormat()
	}
	if err := c.AddResource("http://suite/schema.json", doc); err != nil {
		return nil, err
	}
	return c.Compile("http://suite/schema.json")
}
