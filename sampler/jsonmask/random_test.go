package jsonmask

import (
	"bytes"
	"encoding/json"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"foretoken/model"
	"foretoken/sampler"
)

var randomSchemas = []string{
	`{"type":"object"}`, `true`,
	`{"type":"object","properties":{"name":{"type":"string"},"age":{"type":"integer","minimum":0,"maximum":150},"tags":{"type":"array","items":{"type":"string","maxLength":4}}},"required":["name"]}`,
	`{"type":"array","items":{"anyOf":[{"type":"string","pattern":"^[a-c]+$"},{"type":"number"},{"$ref":"#"}]},"maxItems":3}`,
	`{"type":"object","properties":{"a":{"enum":["abc","ab","name",12]},"b":{"type":"string","format":"date"}},"additionalProperties":{"type":"boolean"}}`,
	`{"type":"string","minLength":1,"maxLength":6}`,
	`{"type":"array","items":{"type":"string","minLength":3}}`,
	`{"anyOf":[{"type":"array","items":{"type":"string"}},{"type":"array","items":{"enum":["xyz","ab"]},"minItems":3}]}`,
	`{"type":"object","properties":{"age":{"type":"integer"},"a":{"type":"string"},"name":{"type":"array","items":{"type":"string"}}}}`,
	`{"type":"object","properties":{"a":{"maximum":5}},"patternProperties":{"^a":{"type":"integer"},"b$":{"minimum":2}},"additionalProperties":{"type":"boolean"}}`,
	`{"type":"object","propertyNames":{"pattern":"^[a-c]*$","maxLength":3},"additionalProperties":{"type":"null"}}`,
	`{"type":"object","propertyNames":{"enum":["a","name"]},"required":["a"]}`,
	`{"type":"object","patternProperties":{"^[ab]":{"type":"integer"}},"unevaluatedProperties":false,"properties":{"name":true}}`,
	`{"type":"array","contains":{"type":"integer","multipleOf":3},"minContains":2,"items":{"type":["integer","null"]},"maxItems":5}`,
	`{"type":"array","contains":{"type":"boolean"},"maxContains":1,"items":{"type":["boolean","null","string"]}}`,
	`{"type":"array","prefixItems":[{"type":"null"}],"contains":{"type":"integer"},"unevaluatedItems":{"type":"boolean"}}`,
	`{"type":"array","allOf":[{"contains":{"multipleOf":2}},{"contains":{"multipleOf":3}}],"items":{"type":"integer","minimum":1,"maximum":40},"maxItems":4}`,
	`{"type":"number","multipleOf":0.05,"minimum":-1,"maximum":12}`,
	`{"type":"integer","multipleOf":7,"exclusiveMinimum":-100,"maximum":1000}`,
	`{"oneOf":[{"type":"integer","maximum":20},{"type":"integer","minimum":10},{"type":"string","maxLength":2},{"type":"string","minLength":2}]}`,
	`{"oneOf":[{"type":"integer"},{"type":"number","maximum":3},{"const":"abc"},{"enum":["abc","ab",null]}]}`,
	`{"type":"string","not":{"enum":["","a","ab"]},"maxLength":3}`,
	`{"type":"string","not":{"enum":["b","ab"]},"maxLength":2}`,
	`{"not":{"enum":[1,true,"abc",null,2.5]},"type":["integer","boolean","string","null","number"]}`,
	`{"type":"string","allOf":[{"pattern":"^[a-c]+$"},{"pattern":"b"}],"minLength":2,"maxLength":5}`,
	`{"type":"object","properties":{"k":{"enum":["x","y"]},"n":{"type":"null"},"s":{"type":"boolean","uniqueItems":false}},"additionalProperties":false,"if":{"properties":{"k":{"const":"x"}},"required":["k"]},"then":{"required":["n"]},"else":{"required":["s"]}}`,
	`{"type":"object","anyOf":[{"properties":{"a":{"type":"integer"}}},{"properties":{"b":{"type":"null"}},"required":["b"]}],"unevaluatedProperties":false}`,
}

// Masks are what feeding every token byte by byte says, along random texts.
func TestMaskIsBruteForce(t *testing.T) {
	r, v := rand.New(rand.NewPCG(11, 1)), toyVocabulary()
	allowed := model.NewMask(len(v.tokens) + 70)
	for i := range 4 * len(randomSchemas) {
		e := mustSchema(t, v, randomSchemas[i%len(randomSchemas)])
		for range 40 {
			allowed.Fill(64 * len(allowed)) // what it held before is of no meaning
			if err := e.Mask(allowed); err != nil {
				t.Fatal(err)
			}
			var choices []model.Token
			for x := range model.Token(64 * len(allowed)) {
				var want bool
				switch {
				case x == eos:
					want = e.at.done
				case int(x) < len(v.tokens):
					want = len(v.tokens[x]) > 0 && e.g.m.run(e.at, v.tokens[x]) != nil
				}
				if allowed.Has(x) != want {
					t.Fatalf("schema %d, token %d: mask says %v, bytes say %v", i%len(randomSchemas), x, allowed.Has(x), want)
				}
				if want && x != eos {
					choices = append(choices, x)
				}
			}
			if len(choices) == 0 {
				break
			}
			next, err := e.Next(choices[r.IntN(len(choices))])
			if err != nil {
				t.Fatal(err)
			}
			e = next.(state)
		}
	}
}

// Random texts that reach their end are JSON, and Next leaves its receiver alone.
func TestRandomTextsAreJSON(t *testing.T) {
	r, v := rand.New(rand.NewPCG(11, 2)), toyVocabulary()
	allowed, done := model.NewMask(len(v.tokens)), 0
	for i := range 1000 {
		var at sampler.ConstraintEngine = mustSchema(t, v, randomSchemas[i%len(randomSchemas)])
		var text []byte
		for range 60 {
			if err := at.Mask(allowed); err != nil {
				t.Fatal(err)
			}
			var choices []model.Token
			for x := range model.Token(len(v.tokens)) {
				if allowed.Has(x) {
					choices = append(choices, x)
				}
			}
			if len(choices) == 0 {
				t.Fatalf("nothing may follow %q", text)
			}
			x := choices[r.IntN(len(choices))]
			if allowed.Has(eos) && r.IntN(3) == 0 {
				x = eos
			}
			wrong := model.Token(r.IntN(len(v.tokens)))
			at.Next(wrong) // another successor: no trace
			next, err := at.Next(x)
			if err != nil {
				t.Fatalf("%q then token %d: %v", text, x, err)
			}
			if at = next; x == eos {
				break
			}
			text = append(text, v.tokens[x]...)
		}
		at.Mask(allowed)
		if s := at.(state); s.at == nil {
			if done++; !json.Valid(text) {
				t.Fatalf("%q is no JSON", text)
			}
			if !allowed.Has(eos) || allowed.Len() != 1 {
				t.Fatalf("%d tokens may follow the end", allowed.Len())
			}
		}
	}
	if done < 100 {
		t.Errorf("%d texts came to an end", done)
	}
}

// Random texts that are whole are valid, for a judge that read the same schema.
func TestRandomTextsAreJudged(t *testing.T) {
	r, v := rand.New(rand.NewPCG(11, 4)), toyVocabulary()
	for _, schema := range randomSchemas {
		doc, err := jsonschema.UnmarshalJSON(strings.NewReader(schema))
		if err != nil {
			t.Fatal(err)
		}
		c := jsonschema.NewCompiler()
		c.AssertFormat()
		if err := c.AddResource("http://x/s.json", doc); err != nil {
			t.Fatal(err)
		}
		judge, err := c.Compile("http://x/s.json")
		if err != nil {
			t.Fatal(err)
		}
		begin, done := mustSchema(t, v, schema), 0
		for range 120 {
			text, whole := randomText(t, r, v, begin, 60)
			if !whole {
				continue
			}
			done++
			x, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
			if err != nil {
				t.Fatalf("%s: %q: %v", schema, text, err)
			}
			if err := judge.Validate(x); err != nil {
				t.Errorf("%s: %s: %v", schema, text, err)
			}
		}
		if done < 5 {
			t.Errorf("%s: %d texts came to an end", schema, done)
		}
	}
}
