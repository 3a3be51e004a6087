//go:build models

package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"flag"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"foretoken/experiments"
	"foretoken/open"
	"foretoken/sampler/jsonmask"
	"foretoken/spec"
)

var (
	functionsFile = flag.String("functions", "testdata/functions.jsonl", "functions that TestFunctions calls, a line each: name, ask, schema")
	functionsMode = flag.String("functions-mode", "bounds", strings.Join(slices.Sorted(maps.Keys(functionModes)), ", "))
)

// functionModes are what a call's arguments are held to besides their schema.
var functionModes = map[string]experiments.Constraint{
	"free":   {Blanks: experiments.MaxBlanks},
	"strict": {Blanks: experiments.DefaultBlanks, Strict: true},
	"bounds": {Blanks: experiments.DefaultBlanks, Strict: true, Bounds: experiments.Bounds{Characters: 48, Digits: 16, Items: 8}},
}

// functionTokens is the budget of a call.
const functionTokens = 256

type function struct {
	Name   string          `json:"name"`
	Ask    string          `json:"ask"`
	Schema json.RawMessage `json:"schema"`
}

// Small models call functions within a budget where their arguments are held to the
// declared members, short blanks, and bounds where the schema has none: nine of ten calls
// are whole. Those are valid in every mode, and no draft changes a call.
func TestFunctions(t *testing.T) {
	target, err := open.Model("embedded")
	if err != nil {
		t.Fatal(err)
	}
	second, err := open.Model("embedded-draft")
	if err != nil {
		t.Fatal(err)
	}
	c, ok := functionModes[*functionsMode]
	if !ok {
		t.Fatalf("no mode %q", *functionsMode)
	}
	all := functions(t, *functionsFile)
	whole, cut, refused := 0, 0, 0
	for _, f := range all {
		c.Schema, c.Thinking = f.Schema, -1
		constrainer, err := target.Constrainer(c)
		if err != nil {
			var unsupported *jsonmask.UnsupportedError
			var none *jsonmask.SchemaError
			if !errors.As(err, &unsupported) && !errors.As(err, &none) {
				t.Fatalf("%s: %v", f.Name, err)
			}
			t.Logf("%s is refused: %v", f.Name, err)
			refused++
			continue
		}
		ask := "Call " + f.Name + " for: " + f.Ask
		plain, res := constrained(t, target, second, constrainer, way{"none", 0, 0, false}, functionTokens, ask)
		drafted, _ := constrained(t, target, second, constrainer, way{"model", 4, 0, false}, functionTokens, ask)
		if drafted != plain {
			t.Errorf("%s: with drafts %q, without %q", f.Name, drafted, plain)
		}
		if res.Finish != spec.FinishEOS {
			cut++
			continue
		}
		whole++
		x, err := jsonschema.UnmarshalJSON(strings.NewReader(plain))
		if err == nil {
			err = judgeOf(t, string(f.Schema)).Validate(x)
		}
		if err != nil {
			t.Errorf("%s: %q: %v", f.Name, plain, err)
		}
	}
	t.Logf("%s: of %d calls %d are whole and valid, %d were cut at %d tokens, %d schemas are refused", *functionsMode, len(all), whole, cut, functionTokens, refused)
	if *functionsMode == "bounds" && 10*whole < 9*len(all) {
		t.Errorf("%d of %d calls are whole, want nine of ten", whole, len(all))
	}
}

func functions(t *testing.T, file string) (out []function) {
	t.Helper()
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var x function
		if err := json.Unmarshal(lines.Bytes(), &x); err != nil {
			t.Fatal(err)
		}
		out = append(out, x)
	}
	if err := lines.Err(); err != nil || len(out) == 0 {
		t.Fatalf("%s: %d functions, %v", file, len(out), err)
	}
	return out
}
