package jsonmask

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"foretoken/model"
)

// A schemaMaker draws schemas of every keyword that engines know.
type schemaMaker struct{ *rand.Rand }

func (r schemaMaker) of(words ...string) string { return words[r.IntN(len(words))] }

// parts joins some of what may stand in a schema.
func (r schemaMaker) parts(n int, of ...func() string) string {
	var out []string
	for _, i := range r.Perm(len(of))[:min(n, len(of))] {
		out = append(out, of[i]())
	}
	return strings.Join(out, ",")
}

// schema is a schema whose parts nest depth deep at most.
func (r schemaMaker) schema(depth int) string {
	if depth == 0 || r.IntN(8) == 0 {
		return r.of(`true`, `{"type":"integer"}`, `{"type":"string","maxLength":2}`, `{"type":["null","boolean"]}`, `{"enum":["ab",1,null]}`, `{"const":"a"}`, `{"$ref":"#/$defs/d"}`, `{"$ref":"#"}`)
	}
	sub := func() string { return r.schema(depth - 1) }
	name := func() string { return r.of("a", "ab", "b", "name") }
	list := func() string { return "[" + sub() + "," + sub() + "]" }
	switch r.IntN(6) {
	case 0:
		return `{"type":"string",` + r.parts(1+r.IntN(3),
			func() string { return fmt.Sprintf(`"minLength":%d`, r.IntN(3)) },
			func() string { return fmt.Sprintf(`"maxLength":%d`, r.IntN(5)) },
			func() string { return `"pattern":` + r.of(`"^a"`, `"b$"`, `"^[a-c]*$"`, `"c|b"`, `"^(ab|é)+$"`) },
			func() string { return `"format":` + r.of(`"date"`, `"time"`, `"ipv4"`, `"email"`) },
			func() string { return `"not":{"enum":["a","ab"]}` }) + `}`
	case 1:
		return `{"type":` + r.of(`"integer"`, `"number"`) + `,` + r.parts(1+r.IntN(3),
			func() string { return fmt.Sprintf(`"minimum":%d`, r.IntN(40)-20) },
			func() string { return fmt.Sprintf(`"maximum":%d.5`, r.IntN(140)-20) },
			func() string { return fmt.Sprintf(`"exclusiveMinimum":%d`, r.IntN(40)-20) },
			func() string { return `"multipleOf":` + r.of("3", "0.5", "7", "10") },
			func() string { return `"not":{"minimum":30}` }) + `}`
	case 2:
		return `{"type":"array",` + r.parts(1+r.IntN(3),
			func() string { return `"items":` + sub() },
			func() string { return `"prefixItems":` + list() },
			func() string { return `"uniqueItems":true` },
			func() string { return fmt.Sprintf(`"minItems":%d`, r.IntN(3)) },
			func() string { return fmt.Sprintf(`"maxItems":%d`, r.IntN(4)) },
			func() string {
				return `"contains":` + r.of(`{"type":"integer"}`, `{"const":"a"}`, `{"minimum":3,"type":"number"}`)
			},
			func() string { return `"unevaluatedItems":` + sub() }) + `}`
	case 3, 4:
		return `{"type":"object",` + r.parts(1+r.IntN(4),
			func() string {
				return fmt.Sprintf(`"properties":{"a":%s,"%s":%s}`, sub(), r.of("ab", "b", "name"), sub())
			},
			func() string { return fmt.Sprintf(`"required":["%s"]`, name()) },
			func() string { return `"additionalProperties":` + r.of("false", sub()) },
			func() string { return fmt.Sprintf(`"patternProperties":{"%s":%s}`, r.of("^a", "b$"), sub()) },
			func() string {
				return `"propertyNames":` + r.of(`{"maxLength":2}`, `{"pattern":"^[a-c]*$"}`, `{"enum":["a","b"]}`)
			},
			func() string { return fmt.Sprintf(`"maxProperties":%d`, 1+r.IntN(2)) },
			func() string { return fmt.Sprintf(`"minProperties":%d`, 1+r.IntN(3)) },
			func() string { return fmt.Sprintf(`"dependentRequired":{"a":["%s"]}`, name()) },
			func() string { return `"unevaluatedProperties":` + r.of("false", sub()) },
			func() string { return fmt.Sprintf(`"not":{"required":["%s"]}`, name()) }) + `}`
	}
	return "{" + r.parts(1+r.IntN(2),
		func() string { return `"anyOf":` + list() },
		func() string { return `"oneOf":` + list() },
		func() string { return `"allOf":` + list() },
		func() string {
			return fmt.Sprintf(`"if":%s,"then":%s,"else":%s`, r.of(`{"type":"string"}`, `{"required":["a"]}`), sub(), sub())
		},
		func() string { return `"type":["object","string","integer"]` }) + "}"
}

// whole is a schema with what its references name.
func (r schemaMaker) whole() string {
	return fmt.Sprintf(`{"allOf":[%s],"$defs":{"d":%s}}`, r.schema(3), r.schema(1))
}

// instance is a value in compact form.
func (r schemaMaker) instance(depth int) string {
	switch k := r.IntN(9); {
	case k < 1:
		return r.of("null", "true", "false")
	case k < 3:
		return r.of("0", "1", "3", "7", "10", "-2", "30", "2.5", "-14", "21")
	case k < 5 || depth == 0:
		return `"` + r.of("", "a", "ab", "b", "c", "abc", "é", "2024-02-29", "10:00:00Z", "1.2.3.4", "a@b.c") + `"`
	}
	var out []string
	if r.IntN(3) == 0 {
		for range r.IntN(4) {
			out = append(out, r.instance(depth-1))
		}
		return "[" + strings.Join(out, ",") + "]"
	}
	names := []string{"a", "ab", "b", "name", "zb"}
	for _, i := range r.Perm(len(names))[:r.IntN(4)] {
		out = append(out, `"`+names[i]+`":`+r.instance(depth-1))
	}
	return "{" + strings.Join(out, ",") + "}"
}

// partly is in schemas whose valid texts are not all allowed: values that have to differ
// are told apart by class.
var partly = regexp.MustCompile(`"uniqueItems":true|"minProperties":[23]`)

// greatExponent is in numbers that the judge's own are too small for.
var greatExponent = regexp.MustCompile(`[eE][-+]?[0-9]{4,}`)

// Of schemas drawn at random, masks in random states are what feeding every token byte
// by byte says, what comes of them is valid for a judge that read the same schema, and
// what is valid is accepted.
func TestRandomSchemas(t *testing.T) {
	r, v := schemaMaker{rand.New(rand.NewPCG(11, 6))}, toyVocabulary()
	held, refused, whole, valid := 0, 0, 0, 0
	for range 500 {
		schema := r.whole()
		e, err := Schema(v, []byte(schema), Options{Blanks: MaxBlanks})
		if err != nil {
			var no *UnsupportedError
			var bad *SchemaError
			if !errors.As(err, &no) && !(errors.As(err, &bad) && (strings.Contains(bad.Why, "no text") || strings.Contains(bad.Why, "refers to itself"))) {
				t.Errorf("%s: %v", schema, err)
			}
			refused++
			continue
		}
		held++
		judge, narrow := judgeRandom(t, schema), narrowed(t, schema)
		for range 3 {
			text := bruteText(t, r.Rand, v, e.(state), schema)
			if text == nil || greatExponent.Match(text) {
				continue
			}
			whole++
			if err := judge.Validate(valueOf(t, schema, string(text))); err != nil {
				t.Errorf("%s: %s: %v", schema, text, err)
			}
		}
		for range 15 {
			text := r.instance(2)
			x, got := valueOf(t, schema, text), accepts(t, e.(state), text)
			if judge.Validate(x) == nil {
				if valid++; !got && narrow == nil && !partly.MatchString(schema) {
					t.Errorf("%s refuses %s", schema, text)
				}
			} else if got {
				t.Errorf("%s accepts %s", schema, text)
			}
		}
	}
	t.Logf("%d schemas held, %d refused; %d texts whole and valid, %d valid ones accepted", held, refused, whole, valid)
	if held < 300 || whole < 600 || valid < 600 {
		t.Errorf("%d schemas held, %d texts whole, %d valid: the test tells too little", held, whole, valid)
	}
}

// narrowed is why valid texts of a schema are left out, nil where none is.
func narrowed(t *testing.T, schema string) error {
	t.Helper()
	doc, err := parse([]byte(schema))
	if err == nil {
		_, err = compile(doc, Options{})
	}
	if err != nil {
		t.Fatalf("%s: %v", schema, err)
	}
	return doc.narrow
}

func valueOf(t *testing.T, schema, text string) any {
	t.Helper()
	x, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
	if err != nil || !json.Valid([]byte(text)) {
		t.Fatalf("%s: %q: %v", schema, text, err)
	}
	return x
}

// bruteText follows masks at random, each held against bytes, and returns the text where
// it ends.
func bruteText(t *testing.T, r *rand.Rand, v *Vocabulary, e state, schema string) (text []byte) {
	t.Helper()
	allowed := model.NewMask(len(v.tokens))
	for range 40 {
		if err := e.Mask(allowed); err != nil {
			t.Fatal(err)
		}
		if allowed.Has(eos) != e.at.done {
			t.Fatalf("%s after %q: the end of sequence is allowed: %v", schema, text, !e.at.done)
		}
		var choices []model.Token
		for x, s := range v.tokens {
			if x == eos {
				continue
			}
			want := len(s) > 0 && e.g.m.run(e.at, s) != nil
			if allowed.Has(model.Token(x)) != want {
				t.Fatalf("%s after %q, token %q: mask says %v, bytes say %v", schema, text, s, !want, want)
			}
			if want && (len(bytes.TrimSpace(s)) > 0 || r.IntN(8) == 0) {
				choices = append(choices, model.Token(x))
			}
		}
		if e.at.done && (r.IntN(2) == 0 || len(choices) == 0) {
			return text
		}
		if len(choices) == 0 {
			if allowed.Len() == 0 {
				t.Fatalf("%s: nothing may follow %q", schema, text)
			}
			return nil // white space alone
		}
		x := choices[r.IntN(len(choices))]
		next, err := e.Next(x)
		if err != nil {
			t.Fatal(err)
		}
		e, text = next.(state), append(text, v.tokens[x]...)
	}
	return nil
}

func judgeRandom(t *testing.T, schema string) *jsonschema.Schema {
	t.Helper()
	doc, err := jsonschema.UnmarshalJSON(strings.NewReader(schema))
	if err != nil {
		t.Fatalf("%s: %v", schema, err)
	}
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	if err := c.AddResource("http://x/s.json", doc); err != nil {
		t.Fatal(err)
	}
	judge, err := c.Compile("http://x/s.json")
	if err != nil {
		t.Fatalf("%s: %v", schema, err)
	}
	return judge
}
