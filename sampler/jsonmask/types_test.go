package jsonmask

import (
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// keywords are those of the standard that hold a text to something, or name or are used
// by one that does: not annotations.
var keywords = strings.Fields(`$schema $id $ref $anchor $dynamicRef $dynamicAnchor $vocabulary $defs definitions
	prefixItems items contains additionalProperties properties patternProperties dependentSchemas propertyNames
	if then else allOf anyOf oneOf not unevaluatedItems unevaluatedProperties type enum multipleOf maximum
	exclusiveMaximum minimum exclusiveMinimum maxLength minLength pattern maxItems minItems uniqueItems maxContains
	minContains maxProperties minProperties required dependentRequired format`)

// harmlessTwice say nothing wrong, only nothing or one thing twice.
var harmlessTwice = map[string]bool{`{"prefixItems":[]}`: true, `{"required":["a","a"]}`: true}

// A keyword whose value has a type that the standard's own schema of schemas refuses is
// refused here too, and is not taken for absent.
func TestWrongTypes(t *testing.T) {
	v, tried := toyVocabulary(), 0
	for _, keyword := range keywords {
		for _, value := range []string{"null", "true", "-1", "1.5", `"x y"`, `"#"`, "[]", "[null]", "[1,1]", `["a","a"]`, "{}", `{"a":null}`, `{"a":[1]}`} {
			schema := `{"` + keyword + `":` + value + `}`
			if validSchema(t, schema) {
				continue
			}
			tried++
			if _, err := Schema(v, []byte(schema), Options{Blanks: MaxBlanks}); err == nil && !harmlessTwice[schema] {
				t.Errorf("%s is accepted", schema)
			}
		}
	}
	t.Logf("%d schemas of wrong types", tried)
	if tried < 300 {
		t.Errorf("%d schemas of wrong types: the test tells too little", tried)
	}
}

func validSchema(t *testing.T, schema string) bool {
	t.Helper()
	doc, err := jsonschema.UnmarshalJSON(strings.NewReader(schema))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("http://test/schema.json", doc); err != nil {
		return false
	}
	_, err = c.Compile("http://test/schema.json")
	return err == nil
}
