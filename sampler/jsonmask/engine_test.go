package jsonmask

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"foretoken/model"
	"foretoken/sampler"
)

const eos = 0

// toyVocabulary is every byte, and what tokenizers merge.
func toyVocabulary() *Vocabulary {
	tokens := [][]byte{nil, nil} // end of sequence, another special
	for b := range 256 {
		tokens = append(tokens, []byte{byte(b)})
	}
	for _, text := range []string{`{"`, `":`, `": "`, `",`, `", "`, `"}`, `"]`, `}}`, `]}`, `[]`, `{}`, `[{`, "\n", "\n  ", "  ", ` "`,
		"true", "false", "null", " true", "12", "00", "-1", ".5", "e1", "1.", `a"`, `ab`, "abc", "name", `"name"`, `name":`, "hello world",
		"é", "日本", "\xe6\x97", "\xa5x", "😀", `\n`, `\"`, `\u00`, `\ud83d`, "\x00a", `"a":1`, `,"b":`, "2024", "-01-", `age":"x`, `age":1`, `a":"`, `me":["`, `xyz",`, `q"`, "T10:", "x\"}", "a,b"} {
		tokens = append(tokens, []byte(text))
	}
	tokens = append(tokens, []byte("abc")) // twice
	return NewVocabulary(tokens, []model.Token{eos})
}

func mustSchema(t testing.TB, v *Vocabulary, schema string) state {
	t.Helper()
	e, err := Schema(v, []byte(schema))
	if err != nil {
		t.Fatalf("%s: %v", schema, err)
	}
	return e.(state)
}

// accepts reports whether text, byte by byte, is complete under a schema, and
// that each byte was in the mask.
func accepts(t testing.TB, e state, text string) bool {
	t.Helper()
	var at sampler.ConstraintEngine = e
	allowed := model.NewMask(400)
	for i := range len(text) {
		token := model.Token(text[i]) + 2
		if err := at.Mask(allowed); err != nil {
			t.Fatal(err)
		}
		next, err := at.Next(token)
		if (err == nil) != allowed.Has(token) {
			t.Fatalf("%q after %q: mask says %v, Next says %v", text[i], text[:i], allowed.Has(token), err)
		}
		if err != nil {
			return false
		}
		at = next
	}
	at.Mask(allowed)
	return allowed.Has(eos)
}

func TestSchemas(t *testing.T) {
	v := toyVocabulary()
	long := strings.Repeat(" ", MaxSpace)
	for _, c := range []struct {
		schema   string
		yes, not []string
	}{
		{`{"type":"object"}`,
			[]string{`{}`, `{"a":1}`, ` { "a" : [1, -2.5e+3, "x", null, true, {}] , "b":{"c":[]}}`, "{\n\t\"é😀\":\"\\u00e9\\ud83d\\ude00\\n\"}", "{" + long + "}"},
			[]string{``, `{`, `[]`, `{"a"}`, `{"a":}`, `{"a":1,}`, `{a:1}`, `{"a":01}`, `{"a":1.}`, `{"a":"` + "\n" + `"}`, `{} `, `{"a":"\ud83d"}`, `{"a":"\udc00"}`,
				"{\"\xff\":1}", "{\"\xed\xa0\x80\":1}", "{\"\xc0\x80\":1}", `{"a":.5}`, `{"a":+1}`, `{"a":1e}`, "{" + long + " }", `{"a":tru}`, `{}{}`}},
		{`{"type":"object","properties":{"a":{"type":"integer"},"b":{"type":"string"}},"required":["b"],"additionalProperties":false}`,
			[]string{`{"b":""}`, `{"a":1,"b":"x"}`, `{"b":"x","a":-0}`},
			[]string{`{}`, `{"a":1}`, `{"b":1}`, `{"b":"x","c":1}`, `{"b":"x","b":"y"}`, `{"a":1.5,"b":""}`}},
		{`{"properties":{"a":{"type":"integer"}}}`, // additional names are allowed, however spelled; declared ones are held to their schema
			[]string{`{"a":1,"z":"x"}`, `{"aa":"x","":[]}`, `[1]`, `"s"`, `{"b":1}`},
			[]string{`{"a":"x"}`, `{"\u0061":"x"}`}},
		{`{"type":"array","items":{"type":"boolean"},"minItems":1,"maxItems":2}`,
			[]string{`[true]`, `[true, false]`}, []string{`[]`, `[1]`, `[true,true,true]`, `[true,]`}},
		{`{"type":"array","prefixItems":[{"type":"integer"},{"type":"string"}],"items":false}`,
			[]string{`[]`, `[1]`, `[1,"a"]`}, []string{`["a"]`, `[1,"a",2]`}},
		{`{"type":"array","minItems":3}`, []string{`[1,2,3]`, `[1,2,3,4,5]`}, []string{`[1,2]`}},
		{`{"enum":["a",1,null,[1,2],{"k":"v"}]}`,
			[]string{`"a"`, `1`, `1.0`, `null`, `[1,2]`, `{"k":"v"}`}, []string{`"b"`, `2`, `[1]`, `"a`}},
		{`{"$defs":{"e":{"enum":["x","y"]}},"type":"object","properties":{"p":{"$ref":"#/$defs/e"}},"required":["p"]}`,
			[]string{`{"p":"x"}`, `{"p":"y","q":1}`}, []string{`{"p":"z"}`, `{}`}},
		{`{"type":"integer","enum":[1,"1",2.5,3]}`, []string{`1`, `3`}, []string{`"1"`, `2.5`}},
		{`{"const":"it's \"q\""}`, []string{`"it's \"q\""`}, []string{`"it's"`}},
		{`{"type":"integer","minimum":3}`, []string{`3`, `10`, `3.0`, `999999`}, []string{`2`, `01`, `-5`, `3.5`, `0`, `29.5`}},
		{`{"type":"integer","minimum":-12,"exclusiveMaximum":7}`, []string{`-12`, `-1`, `0`, `6`, `-0`}, []string{`7`, `-13`, `-120`, `60`, `9`}},
		{`{"type":"number","exclusiveMinimum":1.5,"maximum":20}`, []string{`1.51`, `2`, `20`, `20.0`, `1.6`, `19.99`}, []string{`1.5`, `1`, `20.01`, `21`, `100`, `-3`, `1.49`}},
		{`{"type":"number","minimum":-0.5,"maximum":-0.25}`, []string{`-0.5`, `-0.25`, `-0.3`}, []string{`-0.51`, `-0.2`, `0`, `-1`}},
		{`{"type":"string","minLength":2,"maxLength":3}`,
			[]string{`"ab"`, `"日本語"`, `"\"\\"`, `"\ud83d\ude00x"`, `"😀x"`}, []string{`"a"`, `"abcd"`, `"日"`, `"\ud83d\ude00"`}},
		{`{"type":"string","pattern":"^[a-z]+[0-9]?$"}`, []string{`"abc"`, `"a1"`}, []string{`""`, `"1"`, `"a12"`, `"Ab"`}},
		{`{"type":"string","pattern":"b+"}`, []string{`"abc"`, `"b"`, `"\nb"`}, []string{`"ac"`, `""`}},
		{`{"type":"string","pattern":"^(ab|é)*$","maxLength":4}`, []string{`""`, `"abab"`, `"éab"`, `"éé"`}, []string{`"a"`, `"ababab"`, `"ababé"`}},
		{`{"type":"string","format":"date"}`, []string{`"2024-02-29"`, `"1999-12-31"`, `"2000-02-29"`}, []string{`"2023-02-29"`, `"1900-02-29"`, `"2024-13-01"`, `"2024-04-31"`, `"24-01-01"`}},
		{`{"type":"string","format":"time"}`, []string{`"23:59:59Z"`, `"00:00:00.5+05:30"`}, []string{`"24:00:00Z"`, `"10:00"`, `"10:00:00"`}},
		{`{"type":"string","format":"date-time"}`, []string{`"2024-02-29T10:00:00Z"`}, []string{`"2024-02-30T10:00:00Z"`, `"2024-02-29"`}},
		{`{"type":"string","format":"ipv4"}`, []string{`"127.0.0.1"`, `"255.255.255.255"`}, []string{`"256.1.1.1"`, `"1.1.1"`, `"01.1.1.1"`}},
		{`{"type":"string","format":"uuid"}`, []string{`"2eb8aa08-aa98-11ea-b4aa-73b441d16380"`}, []string{`"2eb8aa08aa9811eab4aa73b441d16380"`}},
		{`{"type":"string","format":"email"}`, []string{`"joe.bloggs@example.com"`}, []string{`"2962"`, `"a@"`, `"a..b@c.d"`}},
		{`{"anyOf":[{"type":"integer"},{"type":"string","maxLength":1}]}`, []string{`12`, `"a"`}, []string{`"ab"`, `true`}},
		{`{"type":"object","properties":{"a":{"type":"integer"}},"anyOf":[{"required":["a"]},{"required":["b"]}]}`,
			[]string{`{"a":1}`, `{"b":[]}`}, []string{`{}`, `{"a":"x","b":1}`}},
		{`{"allOf":[{"type":"object","properties":{"a":{"minimum":3}},"required":["a"]},{"properties":{"a":{"type":"integer"}}}]}`,
			[]string{`{"a":3}`}, []string{`{"a":2}`, `{"a":3.5}`, `{}`}},
		{`{"allOf":[{"properties":{"a":true},"additionalProperties":false},{"properties":{"b":true}}],"type":"object"}`,
			[]string{`{}`, `{"a":1}`}, []string{`{"b":1}`}},
		{`{"type":"object","properties":{"next":{"$ref":"#"},"v":{"type":"integer"}},"required":["v"],"additionalProperties":false}`,
			[]string{`{"v":1,"next":{"v":2,"next":{"v":3}}}`}, []string{`{"v":1,"next":{}}`, `{"next":{"v":1}}`}},
		{`{"type":"object","dependentRequired":{"a":["b"]}}`, []string{`{}`, `{"b":1}`, `{"a":1,"b":2}`}, []string{`{"a":1}`}},
		{`{"type":"object","maxProperties":1,"required":["r"]}`, []string{`{"r":1}`}, []string{`{}`, `{"x":1}`, `{"r":1,"x":2}`}},
		{`{"type":"object","minProperties":1}`, []string{`{"r":1}`}, []string{`{}`}},
		{`{"type":["null","boolean"]}`, []string{`null`, `true`}, []string{`0`}},
		{`{"type":"array","items":{"$ref":"#/$defs/never"},"$defs":{"never":false}}`, []string{`[]`}, []string{`[1]`}},
		{`{"type":"object","properties":{"x":false,"y":{"type":"null"}},"additionalProperties":false}`, []string{`{}`, `{"y":null}`}, []string{`{"x":1}`}},
		{`{"not":{"type":["string","object"]}}`, []string{`1`, `[]`, `null`}, []string{`""`, `{}`}},
		{`{"type":"object","not":{"required":["a"]}}`, []string{`{}`, `{"b":1}`}, []string{`{"a":1}`}},
		{`{"type":"integer","not":{"minimum":3}}`, []string{`2`, `-7`}, []string{`3`, `30`}},
		{`{"if":{"properties":{"k":{"type":"integer"}},"required":["k"]},"then":{"required":["n"]},"else":{"required":["s"]},"type":"object"}`,
			[]string{`{"k":1,"n":0}`, `{"k":"x","s":0}`, `{"s":1}`}, []string{`{"k":1}`, `{"k":1,"s":0}`, `{"k":"x","n":0}`, `{}`}},
		{`{"type":"object","dependentSchemas":{"a":{"required":["b"]}}}`, []string{`{}`, `{"b":1}`, `{"b":1,"a":1}`}, []string{`{"a":1}`}},
		{`{"type":"object","allOf":[{"properties":{"a":true}}],"unevaluatedProperties":false}`, []string{`{}`, `{"a":1}`}, []string{`{"b":1}`}},
		{`{"$id":"http://x/root","$ref":"#here","$defs":{"e":{"$anchor":"here","type":"null"}}}`, []string{`null`}, []string{`1`}},
		{`{"$id":"http://x/root","$ref":"leaf","$defs":{"e":{"$id":"leaf","$ref":"#/$defs/t","$defs":{"t":{"const":2}}}}}`, []string{`2`}, []string{`1`}},
		{`true`, []string{`1`, `"a"`, `[{}]`}, []string{`x`}},
	} {
		e := mustSchema(t, v, c.schema)
		for _, text := range c.yes {
			if !accepts(t, e, text) {
				t.Errorf("%s refuses %s", c.schema, text)
			}
		}
		for _, text := range c.not {
			if accepts(t, e, text) {
				t.Errorf("%s accepts %s", c.schema, text)
			}
		}
	}
}

// What is not supported is refused by name and place, what is no schema too.
func TestRefusals(t *testing.T) {
	v := toyVocabulary()
	for schema, want := range map[string]string{
		`{"not":{"pattern":"x"}}`:                   "#/not: not",
		`{"properties":{"a":{"uniqueItems":true}}}`: "#/properties/a: uniqueItems",
		`{"multipleOf":2}`:                          "multipleOf",
		`{"format":"hostname"}`:                     "hostname",
		`{"pattern":"a(?=b)"}`:                      "pattern",
		`{"pattern":"\\bx"}`:                        "pattern",
		`{"$ref":"http://example.com/schema"}`:      "$ref",
		`{"minProperties":2}`:                       "minProperties",
		`{"items":[{}]}`:                            "items",
		`{"patternProperties":{"^a":{}}}`:           "patternProperties",
		`{"if":{"const":1},"then":{"minLength":1}}`: "const",
	} {
		var refused *UnsupportedError
		if _, err := Schema(v, []byte(schema)); !errors.As(err, &refused) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want a refusal about %s", schema, err, want)
		}
	}
	for schema, want := range map[string]string{
		`{"$ref":"#"}`:                 "refers to itself",
		`{"$ref":"#/$defs/x"}`:         "names nothing",
		`{"type":"text"}`:              "type",
		`{"type":"string"`:             "unexpected EOF",
		`{} {}`:                        "follows",
		`7`:                            "json.Number",
		`false`:                        "no text",
		`{"required":"a"}`:             "required",
		`{"minimum":"3"}`:              "minimum",
		`{"minLength":-1}`:             "minLength",
		`{"enum":[1],"type":"string"}`: "no text",
		`{"properties":{"a":{"$ref":"#"}},"required":["a"],"type":"object"}`: "no text",
	} {
		var bad *SchemaError
		if _, err := Schema(v, []byte(schema)); !errors.As(err, &bad) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want an error about %s", schema, err, want)
		}
	}
}

var randomSchemas = []string{
	`{"type":"object"}`, `true`,
	`{"type":"object","properties":{"name":{"type":"string"},"age":{"type":"integer","minimum":0,"maximum":150},"tags":{"type":"array","items":{"type":"string","maxLength":4}}},"required":["name"]}`,
	`{"type":"array","items":{"anyOf":[{"type":"string","pattern":"^[a-c]+$"},{"type":"number"},{"$ref":"#"}]},"maxItems":3}`,
	`{"type":"object","properties":{"a":{"enum":["abc","ab","name",12]},"b":{"type":"string","format":"date"}},"additionalProperties":{"type":"boolean"}}`,
	`{"type":"string","minLength":1,"maxLength":6}`,
	`{"type":"array","items":{"type":"string","minLength":3}}`,
	`{"anyOf":[{"type":"array","items":{"type":"string"}},{"type":"array","items":{"enum":["xyz","ab"]},"minItems":3}]}`,
	`{"type":"object","properties":{"age":{"type":"integer"},"a":{"type":"string"},"name":{"type":"array","items":{"type":"string"}}}}`,
}

// Masks are what feeding every token byte by byte says, along random texts.
func TestMaskIsBruteForce(t *testing.T) {
	r, v := rand.New(rand.NewPCG(11, 1)), toyVocabulary()
	allowed := model.NewMask(len(v.tokens) + 70)
	for i := range 120 {
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
	for i := range 600 {
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

func TestEngineRefusesTokens(t *testing.T) {
	v := toyVocabulary()
	e := Object(v)
	for x, want := range map[model.Token]string{eos: "end of sequence", 1: "token 1", 9999: "token 9999", -1: "token -1", 'x' + 2: `"x"`} {
		if _, err := e.Next(x); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("token %d: %v, want an error with %s", x, err, want)
		}
	}
}

// The memory of a grammar is bounded, and forgetting changes nothing.
func TestForgetting(t *testing.T) {
	v := toyVocabulary()
	a, b := mustSchema(t, v, `{"type":"object"}`), mustSchema(t, v, `{"type":"object"}`)
	x, y := model.NewMask(len(v.tokens)), model.NewMask(len(v.tokens))
	text := `{"a":[1,{"b":[2,"` + "xyz" + `"]},true],"c":null}`
	for i := range len(text) {
		a.g.m.reset()
		clear(a.g.masks)
		a.at.forget()
		a.Mask(x)
		b.Mask(y)
		if fmt.Sprint(x) != fmt.Sprint(y) {
			t.Fatalf("after %q the masks differ", text[:i])
		}
		p, err := a.Next(model.Token(text[i]) + 2)
		if err != nil {
			t.Fatal(err)
		}
		q, _ := b.Next(model.Token(text[i]) + 2)
		a, b = p.(state), q.(state)
	}
}

func FuzzSchema(f *testing.F) {
	for _, s := range randomSchemas {
		f.Add([]byte(s), []byte(`{"name":"x"}`))
	}
	f.Add([]byte(`{"allOf":[{"$ref":"#/x"}],"x":{"pattern":"a{2}"}}`), []byte(`"aa"`))
	v := toyVocabulary()
	f.Fuzz(func(t *testing.T, schema, text []byte) {
		e, err := Schema(v, schema)
		if err != nil {
			var refused *UnsupportedError
			var bad *SchemaError
			if !errors.As(err, &refused) && !errors.As(err, &bad) {
				t.Fatalf("untyped error %v", err)
			}
			return
		}
		if s := e.(state); len(text) < 200 {
			if end := s.g.m.run(s.g.m.start, text); end != nil && end.done && !json.Valid(text) {
				t.Fatalf("%s accepts %q", schema, text)
			}
		}
	})
}
