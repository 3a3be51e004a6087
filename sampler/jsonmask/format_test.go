package jsonmask

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"foretoken/model"
	"foretoken/sampler"
)

// Random texts of a format are of that format for a judge that asserts it.
func TestFormatsAreJudged(t *testing.T) {
	r, v := rand.New(rand.NewPCG(11, 3)), toyVocabulary()
	for _, name := range slices.Sorted(maps.Keys(formats)) {
		schema := fmt.Sprintf(`{"type":"string","format":%q}`, name)
		doc, _ := jsonschema.UnmarshalJSON(bytes.NewReader([]byte(schema)))
		c := jsonschema.NewCompiler()
		c.AssertFormat()
		if err := c.AddResource("http://x/s.json", doc); err != nil {
			t.Fatal(err)
		}
		judge, err := c.Compile("http://x/s.json")
		if err != nil {
			t.Fatal(err)
		}
		begin := mustSchema(t, v, schema)
		done := 0
		for range 150 {
			text, whole := randomText(t, r, v, begin, 80)
			if !whole {
				continue
			}
			done++
			var x any
			if err := json.Unmarshal(text, &x); err != nil {
				t.Fatalf("%s: %q: %v", name, text, err)
			}
			if err := judge.Validate(x); err != nil {
				t.Errorf("%s: %s: %v", name, text, err)
			}
		}
		if done < 15 {
			t.Errorf("%s: %d texts came to an end", name, done)
		}
	}
}

// randomText follows the masks for up to n tokens, and ends where it may.
func randomText(t *testing.T, r *rand.Rand, v *Vocabulary, at sampler.ConstraintEngine, n int) (text []byte, whole bool) {
	t.Helper()
	allowed := model.NewMask(len(v.tokens))
	for range n {
		if err := at.Mask(allowed); err != nil {
			t.Fatal(err)
		}
		if allowed.Has(eos) && r.IntN(2) == 0 {
			return text, true
		}
		var choices []model.Token
		for x := range model.Token(len(v.tokens)) {
			if allowed.Has(x) && x != eos {
				choices = append(choices, x)
			}
		}
		if len(choices) == 0 {
			if !allowed.Has(eos) {
				t.Fatalf("nothing may follow %q", text)
			}
			return text, true
		}
		x := choices[r.IntN(len(choices))]
		if s := v.tokens[x]; len(bytes.TrimSpace(s)) == 0 && r.IntN(4) > 0 {
			continue // white space, less of it
		}
		next, err := at.Next(x)
		if err != nil {
			t.Fatal(err)
		}
		at, text = next, append(text, v.tokens[x]...)
	}
	return text, false
}
