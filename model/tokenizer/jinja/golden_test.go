package jinja

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// now is the time that the golden files are made at.
var now = time.Date(2024, 7, 6, 15, 4, 9, 0, time.UTC)

func readFile(t testing.TB, path ...string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(path...))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func readJSON(t testing.TB, to any, path ...string) {
	t.Helper()
	if err := json.Unmarshal(readFile(t, path...), to); err != nil {
		t.Fatal(err)
	}
}

// variablesOf reads an object of variables.
func variablesOf(t testing.TB, raw []byte) map[string]Value {
	t.Helper()
	v, err := FromJSON(raw)
	if err != nil {
		t.Fatal(err)
	}
	vars, d := map[string]Value{}, v.(*Dict)
	for i, k := range d.keys {
		vars[k.(string)] = d.values[i]
	}
	return vars
}

func conversations(t testing.TB) []map[string]Value {
	t.Helper()
	var raw []json.RawMessage
	readJSON(t, &raw, "testdata", "conversations.json")
	var all []map[string]Value
	for _, r := range raw {
		all = append(all, variablesOf(t, r))
	}
	return all
}

func render(source string, vars map[string]Value) (string, error) {
	template, err := Parse(source)
	if err != nil {
		return "", err
	}
	return template.Render(vars, now)
}

// holdTo holds a rendering to Jinja2's; nil is a refusal.
func holdTo(t *testing.T, what, source string, vars map[string]Value, want *string) {
	t.Helper()
	got, err := render(source, vars)
	switch {
	case want == nil && err == nil:
		t.Errorf("%s: got %q, want a refusal", what, got)
	case want != nil && err != nil:
		t.Errorf("%s: %v, want %q", what, err, *want)
	case want != nil && got != *want:
		t.Errorf("%s:\n got %q\nwant %q", what, got, *want)
	}
}

// TestExpressions compares single expressions with Jinja2.
func TestExpressions(t *testing.T) {
	var want map[string]*string
	readJSON(t, &want, "testdata", "expressions.json")
	vars := variablesOf(t, readFile(t, "testdata", "variables.json"))
	if len(want) < 445 {
		t.Fatalf("%d expressions", len(want))
	}
	for e, text := range want {
		holdTo(t, e, "{{ "+e+" }}", vars, text)
	}
}

// TestTemplates compares templates of our own with Jinja2.
func TestTemplates(t *testing.T) {
	var want map[string][]*string
	readJSON(t, &want, "testdata", "templates.json")
	all := conversations(t)
	for name, texts := range want {
		source := string(readFile(t, "testdata", "templates", name))
		if len(texts) != len(all) {
			t.Fatalf("%s: %d texts for %d conversations", name, len(texts), len(all))
		}
		for i, text := range texts {
			holdTo(t, name, source, all[i], text)
		}
	}
}
