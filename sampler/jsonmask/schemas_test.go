package jsonmask

import (
	"errors"
	"strings"
	"testing"
)

func TestSchemas(t *testing.T) {
	v := toyVocabulary()
	long := strings.Repeat(" ", MaxBlanks)
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
		{`{"type":"object","patternProperties":{"^n_":{"type":"integer"}},"additionalProperties":false}`,
			[]string{`{}`, `{"n_a":1,"n_b":2}`}, []string{`{"n_a":"x"}`, `{"m":1}`, `{"n":1}`}},
		{`{"patternProperties":{"a":{"type":"integer"},"b":{"minimum":3}},"properties":{"ab":true}}`,
			[]string{`{"a":1,"b":3,"ab":4,"xay":2}`, `{"z":"z"}`}, []string{`{"ab":2}`, `{"ba":2}`, `{"ab":"x"}`, `{"cab":1.5}`, `{"b":1}`}},
		{`{"propertyNames":{"maxLength":2}}`, []string{`{"ab":1}`, `{}`, `3`}, []string{`{"abc":1}`}},
		{`{"propertyNames":{"enum":["x","y"]},"properties":{"z":true}}`, []string{`{"x":1,"y":2}`}, []string{`{"z":1}`, `{"xy":1}`}},
		{`{"propertyNames":false}`, []string{`{}`, `[]`}, []string{`{"a":1}`}},
		{`{"contains":{"const":5},"items":{"type":"integer"}}`, []string{`[5]`, `[1,5,2]`, `[5,5]`, `{}`}, []string{`[]`, `[1]`, `[5,"x"]`}},
		{`{"contains":{"const":1},"minContains":2,"maxContains":3}`, []string{`[1,1]`, `[1,2,1,1]`}, []string{`[1]`, `[1,1,1,1]`, `[2,2]`}},
		{`{"contains":{"const":1},"minContains":0}`, []string{`[]`, `[2]`}, nil},
		{`{"type":"array","contains":{"const":1},"unevaluatedItems":{"type":"string"}}`, []string{`[1,"a"]`, `["a",1,1]`}, []string{`[1,2]`, `["a"]`}},
		{`{"not":{"contains":{"const":1}}}`, []string{`[]`, `[2]`}, []string{`[2,1]`, `1`}},
		{`{"type":"integer","multipleOf":12}`, []string{`0`, `12`, `-24`, `144.0`, `1200`}, []string{`1`, `6`, `13`, `122`}},
		{`{"multipleOf":0.01,"type":"number"}`, []string{`1.25`, `0`, `7`, `3.10`, `-0.010`}, []string{`1.255`, `0.001`}},
		{`{"allOf":[{"multipleOf":4},{"multipleOf":0.6}],"type":"number"}`, []string{`12`, `-60`, `0`}, []string{`4`, `6`, `0.6`}},
		{`{"type":"integer","multipleOf":10,"minimum":95,"maximum":101}`, []string{`100`}, []string{`90`, `95`, `110`}},
		{`{"oneOf":[{"type":"number"},{"type":"integer"}]}`, []string{`2.5`, `-0.25`}, []string{`2`, `2.0`}},
		{`{"oneOf":[{"required":["a"]},{"required":["b"]}],"type":"object"}`, []string{`{"a":1}`, `{"b":1}`}, []string{`{}`, `{"a":1,"b":1}`}},
		{`{"not":{"enum":["a","b",3,true]}}`, []string{`"c"`, `2`, `3.5`, `false`, `null`, `""`}, []string{`"a"`, `3`, `true`}},
		{`{"type":"string","format":"ipv6"}`, []string{`"::1"`, `"1:2:3:4:5:6:7:8"`, `"fe80::a:1.2.3.4"`}, []string{`"1:2:3"`, `"::1::"`, `"12345::"`}},
		{`{"type":"string","format":"hostname"}`, []string{`"www.example.com"`, `"a-b.c"`}, []string{`"-a"`, `"a..b"`, `"a_b"`}},
		{`{"type":"string","format":"uri"}`, []string{`"http://foo.bar/?q=1#x"`, `"urn:isbn:12"`}, []string{`"foo"`, `"//foo"`, `"http://a b"`}},
		{`{"type":"string","format":"duration"}`, []string{`"P4DT12H30M5S"`, `"P2W"`, `"PT36H"`}, []string{`"P"`, `"PT1D"`, `"P1D2H"`}},
		{`{"type":"string","format":"json-pointer"}`, []string{`""`, `"/a~1b/0"`}, []string{`"a"`, `"/~2"`}},
		{`{"$ref":"#/$defs/l","$defs":{"l":{"$dynamicAnchor":"n","type":["null","array"],"items":{"$dynamicRef":"#n"}}}}`, []string{`null`, `[null,[[]]]`}, []string{`[1]`, `{}`}},
		{`{"if":{"properties":{"a":{"const":1}},"required":["a"]},"unevaluatedProperties":false,"type":"object"}`, []string{`{}`, `{"a":1}`}, []string{`{"a":2}`, `{"b":1}`}},
		{`{"type":"object","dependentRequired":{"a":["a","b"]},"if":{"required":["a"]},"then":{"maxProperties":2}}`, []string{`{}`, `{"b":1,"a":2}`, `{"c":1,"d":2,"e":3}`}, []string{`{"a":1}`, `{"a":1,"b":2,"c":3}`}},
		{`{"enum":[{"n":null},{"n":{"n":null}},{"n":{"n":{}}},{"n":3}],"properties":{"n":{"anyOf":[{"$ref":"#"},{"type":"null"}]}}}`, []string{`{"n":null}`, `{"n":{"n":null}}`}, []string{`{"n":{"n":{}}}`, `{"n":3}`, `null`}},
		{`{"$ref":"#/$defs/l","$defs":{"l":{"type":"array","enum":["a",[],[[]]],"items":{"$ref":"#/$defs/l"}}}}`, []string{`[]`, `[[]]`}, []string{`"a"`, `[[],[]]`}},
		{`{"properties":{"enum":{"$anchor":"x","type":"null"},"$id":{"type":"integer"}},"$ref":"#/$defs/e","$defs":{"e":{"properties":{"a":{"$ref":"#x"}}}},"examples":[{"$anchor":"x"}]}`,
			[]string{`{"a":null,"enum":null,"$id":1}`}, []string{`{"a":1}`, `{"enum":2}`, `{"$id":"u"}`}},
		{`{"format":"uint32","nullable":true,"x-a":[{}],"type":"integer","discriminator":{"propertyName":"k"},"examples":[{"$ref":"#x"}]}`, []string{`1`}, []string{`"a"`}},
		{`{"not":{"type":"string","title":"t","x-a":1,"format":"color","readOnly":true,"deprecated":true,"contentEncoding":"base64"}}`, []string{`1`}, []string{`"a"`}},
		{`{"$schema":"http://json-schema.org/draft-04/schema#","id":"http://x/r","minimum":3,"exclusiveMinimum":true,"maximum":5,"exclusiveMaximum":false,"type":"number","const":1}`,
			[]string{`5`, `3.5`}, []string{`3`, `6`}},
		{`{"$schema":"http://json-schema.org/draft-04/schema","$ref":"u#/definitions/a","definitions":{"u":{"id":"u","definitions":{"a":{"type":"null"}}}}}`, []string{`null`}, []string{`1`}},
		{`{"$schema":"http://json-schema.org/draft-06/schema#","if":false,"then":false,"const":1}`, []string{`1`}, []string{`2`}},
		{`{"$schema":"http://json-schema.org/draft-07/schema#","properties":{"a":{"$ref":"#here","type":"string"}},"definitions":{"b":{"$id":"#here","type":"null"}}}`, []string{`{"a":null}`}, []string{`{"a":"x"}`}},
		{`{"$schema":"http://json-schema.org/draft-07/schema#","items":[{"type":"null"},{"type":"boolean"}],"additionalItems":false,"type":"array"}`, []string{`[]`, `[null,true]`}, []string{`[1]`, `[null,true,1]`}},
		{`{"$schema":"http://json-schema.org/draft-07/schema#","items":{"type":"null"},"additionalItems":false,"type":"array"}`, []string{`[null]`}, []string{`[1]`}},
		{`{"$schema":"http://json-schema.org/draft-07/schema#","dependencies":{"a":["b"],"c":{"required":["d"]}},"type":"object"}`, []string{`{"a":1,"b":2}`, `{"c":1,"d":1}`, `{}`}, []string{`{"a":1}`, `{"c":1}`}},
		{`{"$schema":"https://json-schema.org/draft/2019-09/schema","type":["array","null"],"items":{"$recursiveRef":"#"}}`, []string{`[[null]]`}, []string{`[1]`}},
		{`{"$schema":"https://json-schema.org/draft/2019-09/schema","type":"array","contains":{"const":1},"unevaluatedItems":false,"items":[{}]}`, []string{`[1]`}, []string{`[2]`, `[1,1]`}},
		{`{"type":"array","uniqueItems":true,"items":{"enum":["a","b",1,1.0,null]}}`, []string{`[]`, `["b",1,"a",null]`, `[1.0]`}, []string{`["a","a"]`, `[1,1.0]`, `["a",1,"a"]`}},
		{`{"type":"array","uniqueItems":true,"minItems":2,"maxItems":3,"items":{"enum":["a","b","c","d"]}}`, []string{`["b","a"]`, `["a","d","c"]`}, []string{`["a"]`, `["a","b","c","d"]`, `["a","a"]`}},
		{`{"type":"array","uniqueItems":true}`, []string{`[1,2,"1",null,false,true,{},[]]`, `["a","b"]`}, []string{`[1,1]`, `["a","a"]`, `[{},{}]`, `[1,1.0]`, `["a","\u0061"]`, `[0,-0]`, `[null,null]`, `["é","\u00e9"]`}},
		{`{"type":"array","uniqueItems":true,"prefixItems":[{"const":"a"},{"type":"string","format":"date"}],"items":{"type":"integer","minimum":3,"maximum":20}}`,
			[]string{`["a","2024-02-29",3,20]`, `["a"]`}, []string{`["a","a"]`, `["a","2024-02-29",3,3]`}},
		{`{"type":"array","uniqueItems":true,"items":{"$ref":"#"}}`, []string{`[]`, `[[]]`, `[[[]]]`}, []string{`[[],[]]`, `[1]`}},
		{`{"type":"array","uniqueItems":true,"items":{"type":"object","properties":{"id":{"type":"integer"},"n":{"type":"null"}},"required":["id"]}}`,
			[]string{`[{"id":1},{"id":2,"n":null},{"n":null,"id":3}]`, `[]`}, []string{`[{"id":1},{"id":1}]`, `[{"id":1},{"id":1.0}]`, `[{"id":1,"n":null},{"n":null,"id":1}]`}},
		{`{"type":"array","uniqueItems":true,"minItems":3,"items":{"anyOf":[{"type":"object","properties":{"k":{"enum":["a","b","c"]}},"required":["k"]},{"type":"object","properties":{"k":{"const":"c"},"x":true},"required":["x","k"]}]}}`,
			[]string{`[{"k":"a"},{"x":1,"k":"c"},{"k":"b"}]`}, []string{`[{"k":"a"},{"k":"b"}]`, `[{"k":"c","x":1},{"k":"c","x":1},{"k":"a"}]`, `[{"k":"c","x":1},{"x":1,"k":"c"},{"k":"a"}]`}},
		{`{"type":"array","uniqueItems":true,"items":{"anyOf":[{"type":"object","properties":{"k":{"enum":["a","b"]}},"required":["k"]},{"type":"object","properties":{"k":{"const":"b"}}}]}}`,
			[]string{`[{"k":"b"}]`, `[{}]`}, []string{`[{"k":"b"},{"k":"b"}]`}},
		{`{"type":"array","uniqueItems":true,"items":{"type":"array","items":{"type":"integer"},"maxItems":9}}`,
			[]string{`[[],[1,2],[1]]`, `[[1,1,1,1,1,1,1,1,1]]`}, []string{`[[1],[1]]`, `[[1,2],[1,2.0]]`, `[[1,1,1,1,1,1,1],[1,1,1,1,1,1,1]]`, `[[1,1,1,1,1,1,1,1,1,1]]`}},
		{`{"enum":[["a","a"],["a","q"]],"uniqueItems":true}`, []string{`["a","q"]`}, []string{`["a","a"]`}},
		{`{"type":"string","maxLength":3,"not":{"pattern":"^a"}}`, []string{`""`, `"ba"`}, []string{`"a"`, `"ab"`}},
		{`{"not":{"$ref":"#/$defs/s"},"$defs":{"s":{"type":"string"}}}`, []string{`1`}, []string{`"a"`}},
		{`{"propertyNames":{"not":{"pattern":"^x-"}},"type":"object"}`, []string{`{"x":1}`}, []string{`{"x-a":1}`}},
		{`{"type":"object","minProperties":2}`, []string{`{"a":1,"b":2}`, `{"a":1,"b":2,"a":3}`}, []string{`{}`, `{"a":1}`, `{"a":1,"a":2}`, `{"a":1,"\u0061":2}`}},
		{`{"type":"object","minProperties":3,"maxProperties":3,"properties":{"a":true}}`, []string{`{"a":1,"b":2,"c":3}`}, []string{`{"a":1,"b":2}`, `{"a":1,"b":1,"c":1,"d":1}`}},
		{`{"$schema":"http://json-schema.org/draft-04/schema#","anyOf":[{"type":"integer","maximum":3},{"enum":[7.5]},{"type":"array","items":{"type":"integer"}}]}`, []string{`3`, `-5`, `7.5`, `[12]`}, []string{`3.0`, `[1.0]`}},
		{`true`, []string{`1`, `"a"`, `[{}]`}, []string{`x`}},
	} {
		e := mustSchema(t, v, c.schema)
		judge(t, e, c.schema, c.yes, c.not)
	}
}

// judge fails where e, of what name says, refuses a text of yes or accepts one of not.
func judge(t *testing.T, e state, name string, yes, not []string) {
	t.Helper()
	for _, text := range yes {
		if !accepts(t, e, text) {
			t.Errorf("%s refuses %.40s", name, text)
		}
	}
	for _, text := range not {
		if accepts(t, e, text) {
			t.Errorf("%s accepts %.40s", name, text)
		}
	}
}

// What is not supported is refused by name and place, what is no schema too.
func TestRefusals(t *testing.T) {
	v := toyVocabulary()
	for schema, want := range map[string]string{
		`{"not":{"multipleOf":3}}`:                                "#/not: not",
		`{"properties":{"a":{"uniqueItems":true,"contains":{}}}}`: "#/properties/a: uniqueItems",
		`{"pattern":"(a)\\1"}`:                                    "pattern",
		`{"pattern":"(?i)x"}`:                                     "pattern",
		`{"$ref":"http://example.com/schema"}`:                    "$ref",
		`{"minProperties":20}`:                                    "minProperties",
		`{"items":[{}]}`:                                          "items",
		`{"$schema":"http://json-schema.org/draft-03/schema#"}`:   "draft-03",
		`{"patternProperties":{"a\\Z":{}}}`:                       "patternProperties",
		`{"if":{"const":[1]},"then":{"minLength":1}}`:             "const",
		`{"contains":{"multipleOf":3},"maxContains":1}`:           "not",
		`{"if":{"multipleOf":3},"unevaluatedProperties":false}`:   "not",
	} {
		var refused *UnsupportedError
		if _, err := Schema(v, []byte(schema), Options{Blanks: MaxBlanks}); !errors.As(err, &refused) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want a refusal about %s", schema, err, want)
		}
	}
	for schema, want := range map[string]string{
		`{"$ref":"#"}`:         "refers to itself",
		`{"$ref":"#/$defs/x"}`: "names nothing",
		`{"type":"text"}`:      "type",
		`{"type":"string"`:     "ends before the JSON does",
		`{} {}`:                "more than one value",
		`{"a":{"type":"string","type":"number"}}`: "a.type: is there already, want each key once",
		`7`:                            "is a number, want an object or a boolean",
		`{"properties":{"a":[]}}`:      "is a list, want",
		`false`:                        "no text",
		`{"required":"a"}`:             "required",
		`{"minimum":"3"}`:              "minimum",
		`{"minLength":-1}`:             "minLength",
		`{"enum":[1],"type":"string"}`: "no text",
		`{"not":{"minLength":0}}`:      "no text",
		`{"not":{"minItems":0}}`:       "no text",
		`{"$ref":"#x","$defs":{"a":{"$anchor":"x"},"b":{"$anchor":"x","type":"null"}}}`:     "\"#x\" is the name of #/$defs/",
		`{"$defs":{"a":{"$id":"http://x/a"},"b":{"$id":"http://x/a","$ref":"http://x/a"}}}`: "is the name of #/$defs/",
		`{"properties":{"a":{"$ref":"#"}},"required":["a"],"type":"object"}`:                "no text",
	} {
		var bad *SchemaError
		if _, err := Schema(v, []byte(schema), Options{Blanks: MaxBlanks}); !errors.As(err, &bad) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want an error about %s", schema, err, want)
		}
	}
}
