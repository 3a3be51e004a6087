//go:build models

package main

import (
	"bytes"
	"flag"
	"fmt"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"foretoken/draft"
	"foretoken/experiments"
	"foretoken/open"
	"foretoken/sampler"
	"foretoken/spec"
	"foretoken/verify"
)

var (
	constrainedTarget = flag.String("target", "SmolLM2-135M-Instruct", "the model whose texts TestConstrainedTexts holds")
	constrainedDraft  = flag.String("draft", "../../model/drafters/smollm2-two-model/model.gguf", "what drafts for it")
	constrainedTexts  = flag.Int("texts", 100, "how many texts")
	constrainedLength = flag.Int("length", 96, "tokens of a text at most")
)

// constrainedSchemas are what texts are held to; the first is any object.
var constrainedSchemas = []struct{ ask, schema string }{
	{"Describe a river as a JSON object.", `{"type":"object"}`},
	{"A person as JSON.", `{"type":"object","properties":{"name":{"type":"string","minLength":1,"maxLength":20},"age":{"type":"integer","minimum":0,"maximum":120}},"required":["name","age"],"additionalProperties":false}`},
	{"The weather of today as JSON.", `{"type":"object","properties":{"city":{"enum":["Oslo","Rome","Kyoto"]},"celsius":{"type":"number","minimum":-40,"maximum":50},"rain":{"type":"boolean"}},"required":["city","celsius","rain"],"additionalProperties":false}`},
	{"Three numbers as a JSON list.", `{"type":"array","items":{"type":"integer","multipleOf":3,"minimum":0,"maximum":99},"minItems":1,"maxItems":4}`},
	{"A meeting as JSON.", `{"type":"object","properties":{"day":{"type":"string","format":"date"},"with":{"type":"array","items":{"type":"string","pattern":"^[A-Z][a-z]{1,8}$"},"minItems":1,"maxItems":2}},"required":["day","with"],"additionalProperties":false}`},
	{"A call of a tool as JSON.", `{"oneOf":[{"type":"object","properties":{"tool":{"const":"search"},"query":{"type":"string","maxLength":24}},"required":["tool","query"],"additionalProperties":false},{"type":"object","properties":{"tool":{"const":"stop"}},"required":["tool"],"additionalProperties":false}]}`},
	{"Settings as JSON.", `{"type":"object","patternProperties":{"^opt_[a-z]{1,4}$":{"type":["boolean","null"]}},"additionalProperties":false,"maxProperties":3}`},
	{"A small tree as JSON.", `{"$ref":"#/$defs/node","$defs":{"node":{"type":"object","properties":{"v":{"type":"integer","minimum":0,"maximum":9},"next":{"anyOf":[{"type":"null"},{"$ref":"#/$defs/node"}]}},"required":["v","next"],"additionalProperties":false}}}`},
}

// Every text that ends by itself is valid, at K 0 and 4, greedy and drawn, whoever
// drafts; one that the budget cuts says so. At temperature 0 drafts change nothing.
func TestConstrainedTexts(t *testing.T) {
	target, err := open.Model(*constrainedTarget)
	if err != nil {
		t.Fatal(err)
	}
	second, err := open.Model(*constrainedDraft)
	if err != nil {
		t.Fatal(err)
	}
	whole, cut, killed, judged := 0, 0, 0, 0
	for n := 0; n < *constrainedTexts; {
		i := n / 5
		c := constrainedSchemas[i%len(constrainedSchemas)]
		constrainer, err := target.Constrainer(experiments.Constraint{Schema: []byte(c.schema), Blanks: experiments.DefaultBlanks, Thinking: -1})
		if err != nil {
			t.Fatal(err)
		}
		judge := judgeOf(t, c.schema)
		plain := ""
		for _, way := range []way{{"none", 0, 0, false}, {"ngram", 4, 0, false}, {"model", 4, 0, true}, {"none", 0, .8, false}, {"model", 4, .8, i%2 == 0}} {
			text, res := constrained(t, target, second, constrainer, way, *constrainedLength, fmt.Sprintf("%s Number %d.", c.ask, i))
			n++
			at := fmt.Sprintf("%s, %s K=%d, temperature %v: %q", c.ask, way.drafter, way.k, way.temperature, text)
			for _, r := range res.Rounds {
				killed, judged = killed+r.Killed, judged+r.Judged
			}
			switch {
			case way.k == 0:
				plain = text
			case way.temperature == 0 && text != plain:
				t.Errorf("%s, without a draft %q", at, plain)
			}
			switch res.Finish {
			case spec.FinishEOS:
				whole++
				x, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
				if err == nil {
					err = judge.Validate(x)
				}
				if err != nil {
					t.Errorf("%s: %v", at, err)
				}
			case spec.FinishLength:
				cut++
			default:
				t.Errorf("%s ends with %s", at, res.Finish)
			}
		}
	}
	t.Logf("%d texts are whole and valid, %d were cut at %d tokens; of %d judged drafts the grammar killed %d", whole, cut, *constrainedLength, judged, killed)
	if whole < cut {
		t.Errorf("%d texts are whole, %d were cut", whole, cut)
	}
}

// A way of decoding a constrained text.
type way struct {
	drafter     string
	k           int
	temperature float32
	blind       bool
}

func constrained(t *testing.T, target, second *experiments.Opened, c *experiments.Constrainer, w way, maxTokens int, ask string) (string, spec.Result) {
	t.Helper()
	prompt, err := target.Tokenizer.Chat([]experiments.Message{{Role: "user", Content: ask}})
	if err != nil {
		prompt = target.Tokenizer.Prompt(ask)
	}
	engine, err := c.Engine(prompt)
	if err != nil {
		t.Fatal(err)
	}
	factories := map[string]draft.Factory{"ngram": &draft.Ngram{}, "model": &draft.Model{Draft: draft.ModelRef{Model: second.Model}, Blind: w.blind}}
	s := spec.Setup{Target: target.Model, Drafter: factories[w.drafter], Policy: verify.Stochastic}
	res, err := spec.Generate(t.Context(), s, spec.Request{Prompt: prompt, K: w.k, MaxTokens: maxTokens, Sampler: sampler.NewConfig(w.temperature),
		Seed: uint64(len(ask)), EOS: experiments.EndTokens(target.Ends), Text: target.Tokenizer.NewStream(), Engine: engine})
	if err != nil {
		t.Fatalf("%s, %s K=%d: %v", ask, w.drafter, w.k, err)
	}
	return res.Text, res
}

func judgeOf(t *testing.T, schema string) *jsonschema.Schema {
	t.Helper()
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader([]byte(schema)))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	if err := c.AddResource("http://test/schema.json", doc); err != nil {
		t.Fatal(err)
	}
	judge, err := c.Compile("http://test/schema.json")
	if err != nil {
		t.Fatal(err)
	}
	return judge
}
