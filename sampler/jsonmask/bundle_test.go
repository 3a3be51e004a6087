package jsonmask

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// inFolder writes files, of which schema.json is read.
func inFolder(t *testing.T, files map[string]string) string {
	t.Helper()
	folder := t.TempDir()
	for name, text := range files {
		path := filepath.Join(folder, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return filepath.Join(folder, "schema.json")
}

// A schema may refer to the files beside it, by their names and by their ids, and they to
// each other, each in the words of its draft.
func TestReadFile(t *testing.T) {
	v := toyVocabulary()
	const digits = `{"type":"object","properties":{"n":{"type":"integer"},"up":{"$ref":"schema.json"}},"required":["n"]}`
	for name, c := range map[string]struct {
		files    map[string]string
		yes, not []string
	}{
		"by name": {map[string]string{"schema.json": `{"type":"array","items":{"$ref":"other.json"}}`, "other.json": digits},
			[]string{`[{"n":1}]`, `[{"n":1,"up":[{"n":2}]}]`}, []string{`[{}]`, `[{"n":1,"up":3}]`}},
		"of an id, with a pointer and definitions": {map[string]string{
			"schema.json":  `{"$id":"http://x/y/schema.json","$ref":"other.json#/$defs/w","$defs":{"mine":true}}`,
			"other.json":   `{"$id":"http://x/y/renamed.json","$defs":{"w":{"$ref":"more.json"}}}`,
			"more.json":    `{"type":"string"}`,
			"useless.json": `{`}, []string{`"a"`}, []string{`1`}},
		"by id": {map[string]string{"schema.json": `{"$ref":"http://far/away"}`, "near.json": `{"$id":"http://far/away","type":"null"}`, "broken.json": `{`},
			[]string{`null`}, []string{`1`}},
		"another draft": {map[string]string{"schema.json": `{"items":{"$ref":"old.json"},"type":"array"}`,
			"old.json": `{"$schema":"http://json-schema.org/draft-04/schema#","id":"old.json","type":"number","minimum":3,"exclusiveMinimum":true}`},
			[]string{`[4]`}, []string{`[3]`, `["a"]`}},
		"an old draft": {map[string]string{"schema.json": `{"$schema":"http://json-schema.org/draft-07/schema#","$ref":"old.json","definitions":{"a":true}}`,
			"old.json": `{"items":[{"type":"null"}],"additionalItems":false,"type":"array"}`}, []string{`[null]`}, []string{`[1]`, `[null,null]`}},
	} {
		schema, err := ReadFile(inFolder(t, c.files))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		judge(t, mustSchema(t, v, string(schema)), name, c.yes, c.not)
	}
}

// A schema that refers to nothing else is read as it is, to the byte.
func TestReadFileAlone(t *testing.T) {
	const text = "{ \"type\" : \"string\",\n\"$id\":\"http://x/a\", \"$defs\":{\"u\":{\"$ref\":\"a#/type\"}} }\n"
	if got, err := ReadFile(inFolder(t, map[string]string{"schema.json": text})); err != nil || string(got) != text {
		t.Errorf("%q, %v", got, err)
	}
}

// Nothing is read from another folder, and what is no file of a schema is refused by name.
func TestReadFileRefuses(t *testing.T) {
	outside := inFolder(t, map[string]string{"schema.json": `{"type":"null"}`})
	for ref, files := range map[string]map[string]string{
		"../schema.json":            {"sub/x.json": "1"},
		"file://" + outside:         nil,
		outside:                     nil,
		"sub/other.json":            {"sub/other.json": `{"type":"null"}`},
		"%2e%2e%2fother.json":       nil,
		"http://127.0.0.1:9/x.json": nil,
		"none.json":                 nil,
	} {
		schema := inFolder(t, map[string]string{"schema.json": `{"$ref":"` + ref + `"}`})
		for name, text := range files {
			path := filepath.Join(filepath.Dir(schema), name)
			os.MkdirAll(filepath.Dir(path), 0o755)
			os.WriteFile(path, []byte(text), 0o644)
		}
		data, err := ReadFile(schema)
		var no *UnsupportedError
		if err == nil {
			err = Check(data, Options{})
		}
		if !errors.As(err, &no) || no.Keyword != "$ref" || !strings.Contains(err.Error(), ref) {
			t.Errorf("%s: %v, want a refusal of the reference", ref, err)
		}
	}
	for text, want := range map[string]string{
		`{"type":`:                          "other.json: ends before",
		`7`:                                 "other.json: no object",
		`{"type":"null","type":"null"}`:     "type: is there already",
		`{"$id":"http://elsewhere/a.json"}`: "other.json has the $id http://elsewhere/a.json, want one in the same folder",
		`{"$id":"#x","properties":{"a":{"$ref":"gone.json"}}}`: `"gone.json" is not in this schema, nor in a file beside it`,
	} {
		data, err := ReadFile(inFolder(t, map[string]string{"schema.json": `{"$id":"http://x/schema.json","$ref":"other.json"}`, "other.json": text}))
		if err == nil {
			err = Check(data, Options{})
		}
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want an error about %s", text, err, want)
		}
	}
	link := inFolder(t, map[string]string{"schema.json": `{"$ref":"link.json"}`})
	if err := os.Symlink(outside, filepath.Join(filepath.Dir(link), "link.json")); err != nil {
		t.Fatal(err)
	}
	if data, err := ReadFile(link); err == nil {
		t.Errorf("a link out of the folder is read: %s", data)
	}
}

// More documents than any schema has are refused, however they refer to each other.
func TestBundleIsBounded(t *testing.T) {
	n := 0
	_, err := Bundle([]byte(`{"$ref":"0"}`), func(uri string) ([]byte, error) {
		n++
		return []byte(`{"$ref":"` + strings.Repeat("x", n) + `"}`), nil
	})
	if err == nil || !strings.Contains(err.Error(), "more than 64 other documents") {
		t.Errorf("%v after %d documents", err, n)
	}
	big := `{"title":"` + strings.Repeat("x", maxBundle) + `"}`
	if _, err := Bundle([]byte(`{"$ref":"0"}`), func(string) ([]byte, error) { return []byte(big), nil }); err == nil || !strings.Contains(err.Error(), "32 MiB") {
		t.Errorf("%v, want a refusal of the size", err)
	}
}
