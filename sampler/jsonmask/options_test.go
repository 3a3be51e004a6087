package jsonmask

import (
	"errors"
	"strings"
	"testing"
)

func begin(t *testing.T, schema string, o Options) state {
	t.Helper()
	e, err := Schema(toyVocabulary(), []byte(schema), o)
	if err != nil {
		t.Fatalf("%s, %+v: %v", schema, o, err)
	}
	return e.(state)
}

// Declared members only: of names, of patterns, of what is required, at every depth;
// what a schema says of other members itself stands.
func TestStrict(t *testing.T) {
	for _, c := range []struct {
		schema   string
		yes, not []string // under strict; all are valid without
	}{
		{`{"properties":{"a":{}},"type":"object"}`, []string{`{}`, `{"a":[{}]}`}, []string{`{"b":1}`, `{"a":1,"b":2}`, `{"a":{"b":1}}`}},
		{`{"properties":{"a":{"properties":{"b":{}}}},"type":"object"}`, []string{`{"a":{"b":1}}`, `{"a":[{}]}`}, []string{`{"a":[{"c":1}]}`, `{"a":{"c":1}}`, `{"c":1}`}},
		{`{"type":"array","items":{"type":"object","properties":{"a":{}}}}`, []string{`[{"a":1},{}]`}, []string{`[{"b":1}]`}},
		{`{"type":"object"}`, []string{`{}`}, []string{`{"b":1}`}},
		{`{"properties":{"a":{}},"additionalProperties":true,"type":"object"}`, []string{`{"b":1}`, `{"a":1,"b":1}`}, nil},
		{`{"properties":{"a":{}},"additionalProperties":{"type":"integer"},"type":"object"}`, []string{`{"b":1}`}, nil},
		{`{"properties":{"a":{}},"unevaluatedProperties":true,"type":"object"}`, []string{`{"b":1}`}, nil},
		{`{"patternProperties":{"^x":{}},"type":"object"}`, []string{`{"x1":1}`}, []string{`{"y":1}`}},
		{`{"properties":{"a":{}},"patternProperties":{"^x":{}},"type":"object"}`, []string{`{"x1":1,"a":2}`}, []string{`{"y":1}`}},
		{`{"required":["a"],"type":"object"}`, []string{`{"a":1}`}, []string{`{"a":1,"b":1}`}},
		{`{"properties":{"a":{}},"required":["b"],"type":"object"}`, []string{`{"b":1}`, `{"a":1,"b":1}`}, []string{`{"b":1,"c":1}`}},
		{`{"allOf":[{"properties":{"a":{}}},{"properties":{"b":{}}}],"type":"object"}`, []string{`{"a":1,"b":1}`}, []string{`{"c":1}`}},
		{`{"anyOf":[{"properties":{"a":{"type":"integer"}},"required":["a"]},{"properties":{"b":{}},"required":["b"]}],"type":"object"}`,
			[]string{`{"a":1}`, `{"b":1}`}, []string{`{"a":1,"b":1}`, `{"a":1,"c":1}`}},
		{`{"$ref":"#/$defs/n","$defs":{"n":{"type":"object","properties":{"next":{"$ref":"#/$defs/n"}}}}}`, []string{`{"next":{"next":{}}}`}, []string{`{"next":{"x":1}}`}},
		{`{"not":{"required":["x"]},"type":"object"}`, []string{`{}`}, []string{`{"b":1}`}},
		{`{"not":{"properties":{"x":{"type":"integer"}},"required":["x"]},"properties":{"x":{}},"type":"object"}`, []string{`{"x":"s"}`, `{}`}, []string{`{"y":1}`}},
		{`{"enum":[{"a":1,"z":2}],"properties":{"a":{"type":"integer"}}}`, []string{`{"a":1,"z":2}`}, nil},
		{`{"properties":{"a":{"const":{"k":1}}},"type":"object"}`, []string{`{"a":{"k":1}}`}, []string{`{"k":1}`}},
		{`{"propertyNames":{"enum":["a","b"]},"type":"object"}`, []string{`{"a":1,"b":2}`}, nil},
		{`{"dependentRequired":{"a":["b"]},"properties":{"c":{}},"type":"object"}`, []string{`{"a":1,"b":1,"c":1}`}, []string{`{"d":1}`}},
		{`{"if":{"properties":{"a":{"const":1}},"required":["a"]},"then":{"required":["b"]},"properties":{"a":{},"b":{}},"type":"object"}`,
			[]string{`{"a":1,"b":1}`, `{"a":2}`}, []string{`{"a":2,"c":1}`}},
	} {
		strict, free := begin(t, c.schema, Options{Strict: true}), begin(t, c.schema, Options{})
		for _, text := range append(c.yes, c.not...) {
			if !accepts(t, free, text) {
				t.Errorf("%s refuses %s, want that it is valid without strict", c.schema, text)
			}
		}
		for _, text := range c.yes {
			if !accepts(t, strict, text) {
				t.Errorf("%s, strict, refuses %s", c.schema, text)
			}
		}
		for _, text := range c.not {
			if accepts(t, strict, text) {
				t.Errorf("%s, strict, accepts %s", c.schema, text)
			}
		}
	}
}

// A schema that needs an undeclared member has no strict text, and the error says why.
func TestStrictNeedsDeclared(t *testing.T) {
	schema := []byte(`{"type":"object","properties":{"a":{}},"minProperties":2}`)
	var bad *SchemaError
	if err := Check(schema, Options{Strict: true}); !errors.As(err, &bad) || !strings.Contains(err.Error(), "strict") {
		t.Errorf("%v, want a SchemaError that names strict", err)
	}
	if err := Check(schema, Options{}); err != nil {
		t.Error(err)
	}
}

func TestBlanks(t *testing.T) {
	schema := `{"type":"object","properties":{"a":{"type":"array"}}}`
	for n := range 5 {
		e, run := begin(t, schema, Options{Blanks: n}), strings.Repeat(" ", n)
		for _, text := range []string{"_{}", "{_}", `{_"a":[]}`, `{"a"_:[]}`, `{"a":_[]}`, `{"a":[]_}`, `{"a":[_]}`, `{"a":[1_,2]}`, `{"a":[1,_2]}`} {
			if text := strings.Replace(text, "_", run, 1); !accepts(t, e, text) {
				t.Errorf("%d blanks: %q is refused", n, text)
			}
			if text := strings.Replace(text, "_", run+"\n", 1); accepts(t, e, text) {
				t.Errorf("%d blanks: %q is accepted", n, text)
			}
		}
		if !accepts(t, e, `{"a    b":["   "]}`) {
			t.Errorf("%d blanks: those within strings are refused", n)
		}
	}
	for _, n := range []int{-1, MaxBlanks + 1} {
		if err := Check([]byte(schema), Options{Blanks: n}); err == nil || !strings.Contains(err.Error(), "want 0 to 24") {
			t.Errorf("%d blanks: %v", n, err)
		}
	}
}

// Bounds hold where a schema gives none, and nowhere else.
func TestBounds(t *testing.T) {
	bounds := Bounds{Characters: 3, Digits: 4, Items: 2}
	for _, c := range []struct {
		schema   string
		yes, not []string // under bounds; all are valid without
	}{
		{`{"type":"string"}`, []string{`"abc"`, `"日本語"`, `""`}, []string{`"abcd"`}},
		{`{"type":"string","minLength":5}`, []string{`"abcde"`}, []string{`"abcdef"`}},
		{`{"type":"string","maxLength":6}`, []string{`"abcdef"`}, nil},
		{`{"type":"string","pattern":"^a+$"}`, []string{`"aaaaaa"`}, nil},
		{`{"const":"abcdef"}`, []string{`"abcdef"`}, nil},
		{`{"type":"integer"}`, []string{`1234`, `-1234`, `0`}, []string{`12345`, `-12345`}},
		{`{"type":"number","maximum":1e17}`, []string{`12345678901234567.12345`}, nil},
		{`{"type":"number"}`, []string{`1234.5678`, `-1.5`}, []string{`12345`, `1.23456`, `1e5`}},
		{`{"type":"integer","minimum":100000}`, []string{`100000`, `1234567`}, nil},
		{`{"type":"integer","minimum":7,"maximum":99999}`, []string{`9999`, `99999`}, nil},
		{`{"type":"array","items":{"type":"boolean"}}`, []string{`[true,false]`, `[]`}, []string{`[true,true,true]`}},
		{`{"type":"array","items":{"type":"boolean"},"minItems":3}`, []string{`[true,false,true]`}, []string{`[true,true,true,true]`}},
		{`{"type":"array","items":{"type":"boolean"},"maxItems":4}`, []string{`[true,false,true,true]`}, nil},
		{`{"type":"array","contains":{"type":"null"}}`, []string{`[1,2,null]`}, nil},
		{`{"type":"object"}`, []string{`{"a":1,"abc":[1,2]}`}, []string{`{"a":1,"b":2,"c":3}`, `{"abcd":1}`}},
		{`{"type":"object","properties":{"long name":{"type":"null"}}}`, []string{`{"long name":null}`, `{"long name":null,"a":1,"b":2}`}, []string{`{"long name":null,"a":1,"b":2,"c":3}`}},
		{`{"type":"object","properties":{"ab":{"type":"null"},"long name":{"type":"null"}},"propertyNames":{"minLength":2},"additionalProperties":false}`, []string{`{"long name":null}`}, nil},
	} {
		bound, free := begin(t, c.schema, Options{Bounds: bounds}), begin(t, c.schema, Options{})
		for _, text := range append(c.yes, c.not...) {
			if !accepts(t, free, text) {
				t.Errorf("%s refuses %s, want that it is valid without bounds", c.schema, text)
			}
		}
		for _, text := range c.yes {
			if !accepts(t, bound, text) {
				t.Errorf("%s, bound, refuses %s", c.schema, text)
			}
		}
		for _, text := range c.not {
			if accepts(t, bound, text) {
				t.Errorf("%s, bound, accepts %s", c.schema, text)
			}
		}
	}
	for _, b := range []Bounds{{Characters: -1}, {Digits: maxDigits + 1}, {Items: -1}} {
		if err := Check([]byte("true"), Options{Bounds: b}); err == nil || !strings.Contains(err.Error(), "want") {
			t.Errorf("%+v: %v", b, err)
		}
	}
}
