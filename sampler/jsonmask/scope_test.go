package jsonmask

import (
	"strings"
	"testing"
)

// A $dynamicRef means what the first resource on the way has under its anchor, on every way
// anew; a $recursiveRef likewise.
func TestScopes(t *testing.T) {
	v := toyVocabulary()
	const (
		list = `"$defs":{"list":{"$id":"list","type":"array","items":{"$dynamicRef":"#item"},"$defs":{"any":{"$dynamicAnchor":"item"}}},` +
			`"words":{"$id":"words","$ref":"list","$defs":{"w":{"$dynamicAnchor":"item","type":"string"}}},` +
			`"numbers":{"$id":"numbers","$ref":"list","$defs":{"n":{"$dynamicAnchor":"item","type":"number"}}}}`
		tree = `{"$schema":"https://json-schema.org/draft/2019-09/schema","$id":"http://x/strict","$recursiveAnchor":true,"$ref":"tree","unevaluatedProperties":false,` +
			`"$defs":{"tree":{"$id":"tree","$recursiveAnchor":true,"type":"object","properties":{"v":true,"c":{"type":"array","items":{"$recursiveRef":"#"}}}}}}`
	)
	for _, c := range []struct {
		schema   string
		yes, not []string
	}{
		{`{"$id":"http://x/r","properties":{"w":{"$ref":"words"},"n":{"$ref":"numbers"},"a":{"$ref":"list"}},` + list + `}`,
			[]string{`{"w":["a"],"n":[1],"a":[null]}`}, []string{`{"w":[1]}`, `{"n":["a"]}`, `{"a":1}`}},
		{`{"$id":"http://x/r","not":{"$ref":"words"},"type":"array","items":{"type":["string","integer"]},` + list + `}`,
			[]string{`[1]`}, []string{`["a"]`}},
		{tree, []string{`{"v":1,"c":[{"v":2}]}`, `{}`}, []string{`{"w":1}`, `{"c":[{"w":1}]}`}},
		{strings.Replace(tree, `"$recursiveAnchor":true,"$ref"`, `"$ref"`, 1), []string{`{"c":[{"w":1}]}`}, []string{`{"w":1}`}},
	} {
		judge(t, mustSchema(t, v, c.schema), c.schema, c.yes, c.not)
	}
}

// The schemas of schemas are carried: a reference to one is no reference to the network.
func TestMetaschemas(t *testing.T) {
	v := toyVocabulary()
	for uri := range metaschemas() {
		if e := mustSchema(t, v, `{"$ref":"`+uri+`"}`); !accepts(t, e, `{}`) || accepts(t, e, `1`) {
			t.Errorf("%s: want {} and no number", uri)
		}
	}
	for _, c := range []struct {
		schema   string
		yes, not []string
	}{
		{`{"$ref":"https://json-schema.org/draft/2020-12/schema"}`, []string{`{"type":"string","$defs":{"a":{"minLength":1}}}`, `true`}, []string{`{"type":"text"}`, `{"$defs":{"a":{"minLength":-1}}}`, `{"items":1}`}},
		{`{"$ref":"https://json-schema.org/draft/2019-09/schema"}`, []string{`{"properties":{"a":{"maximum":1}}}`}, []string{`{"properties":{"a":{"maximum":"1"}}}`}},
		{`{"properties":{"s":{"$ref":"http://json-schema.org/draft-07/schema#"}},"type":"object"}`, []string{`{"s":{"if":true}}`}, []string{`{"s":{"if":1}}`}},
		{`{"$schema":"http://json-schema.org/draft-04/schema#","$ref":"http://json-schema.org/draft-04/schema#/definitions/positiveInteger"}`, []string{`3`}, []string{`-1`, `3.0`, `"a"`}},
		{`{"$ref":"http://json-schema.org/draft-04/schema#/definitions/positiveInteger"}`, []string{`3`}, []string{`3.0`}},
	} {
		judge(t, mustSchema(t, v, c.schema), c.schema, c.yes, c.not)
	}
}
