package jinja

import (
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// checkEnds: any template ends in time, with text or an error, and none of the errors is
// a defect of ours.
func checkEnds(t *testing.T, source string, vars map[string]Value) {
	t.Helper()
	began := time.Now()
	text, err := render(source, vars)
	switch {
	case err != nil && text != "":
		t.Fatalf("%q with %v", text, err)
	case err != nil && strings.Contains(err.Error(), "internal error"):
		t.Fatalf("%q: %v", source, err)
	case time.Since(began) > 30*time.Second:
		t.Fatalf("%q takes %s", source, time.Since(began))
	}
}

func FuzzTemplate(f *testing.F) {
	files, err := filepath.Glob(filepath.Join("testdata", "templates", "*.jinja"))
	if err != nil {
		f.Fatal(err)
	}
	for _, file := range files {
		f.Add(string(readFile(f, file)))
	}
	f.Add("{% for a, b in x recursive %}{{ loop.changed(loop(b)) }}{% endfor %}{%- raw -%}{% endraw %}{# #}")
	vars := conversations(f)[9]
	f.Fuzz(func(t *testing.T, source string) { checkEnds(t, source, vars) })
}

func FuzzExpression(f *testing.F) {
	for line := range strings.Lines(string(readFile(f, "testdata", "expressions.txt"))) {
		f.Add(strings.TrimSuffix(line, "\n"))
	}
	vars := variablesOf(f, readFile(f, "testdata", "variables.json"))
	f.Fuzz(func(t *testing.T, e string) { checkEnds(t, "{{ "+e+" }}", vars) })
}

func FuzzFromJSON(f *testing.F) {
	f.Add([]byte(`{"b": [1, 2.5, null, true, "é"], "a": {}}`))
	f.Fuzz(func(t *testing.T, raw []byte) {
		v, err := FromJSON(raw)
		if err != nil {
			return
		}
		if text, err := render("{{ x | tojson }}", map[string]Value{"x": v}); err == nil {
			if _, err := FromJSON([]byte(text)); err != nil && !strings.ContainsAny(text, "NI") {
				t.Fatalf("%q: %v", text, err)
			}
		}
	})
}
