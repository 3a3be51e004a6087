package experiments

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"foretoken/model"
	"foretoken/results"
	"foretoken/sampler"
	"foretoken/sampler/jsonmask"
)

const constrainedConfig = `target: toy
drafters:
  - {name: ngram}
  - {name: model, model: cousin, label: cousin}
  - {name: model, model: cousin, blind: true}
k: [3]
stochastic: true
temperatures: [0, 0.8]
constraints: [none, json, point.json]
logprobs: 2
prompts: [{file: p.jsonl, limit: 3}]
max_tokens: 40
`

const pointSchema = `{"type": "object", "properties": {"x": {"type": "integer", "minimum": 0, "maximum": 9}, "y": {"enum": ["up", "down"]}}, "required": ["x", "y"], "additionalProperties": false}`

// Each constraint is an arm with its own control. What ends by itself is JSON, the
// tables set acceptance with and without beside each other, and the record tells what
// the grammar killed.
func TestRunHeld(t *testing.T) {
	c, o := toyRun(t, constrainedConfig)
	put(t, filepath.Join(filepath.Dir(o.ConfigFile), "point.json"), pointSchema)
	if err := Run(t.Context(), c, o); err != nil {
		t.Fatal(err)
	}
	run, err := results.Read(o.Dir)
	if err != nil {
		t.Fatal(err)
	}
	whole, killed := 0, map[string]int{}
	for _, r := range run.Rows {
		if len(r.Logprobs) != len(r.Tokens) {
			t.Fatalf("%s: %d log-probabilities of %d tokens", r.Key(), len(r.Logprobs), len(r.Tokens))
		}
		kind, _, _ := strings.Cut(r.Arm, "/")
		killed[kind] += r.Killed
		text := strings.TrimSuffix(r.Text, "\x00")
		switch {
		case strings.HasSuffix(r.Arm, "point.json") && r.Finish == "eos":
			var p struct{ X, Y any }
			if err := json.Unmarshal([]byte(text), &p); err != nil || p.X == nil || p.Y != "up" && p.Y != "down" {
				t.Errorf("%s: %q, %v", r.Key(), text, err)
			}
			whole++
		case strings.HasSuffix(r.Arm, "/json") && r.Finish == "eos" && !json.Valid([]byte(text)):
			t.Errorf("%s: %q is no JSON", r.Key(), text)
		case strings.HasSuffix(r.Arm, "t=0") && r.Killed > 0:
			t.Errorf("%s: %d killed without a constraint", r.Key(), r.Killed)
		}
	}
	if whole < 5 || killed["ngram"] == 0 || killed["model:cousin-blind"] == 0 || killed["cousin"] != 0 || killed["plain"] != 0 {
		t.Errorf("%d whole, killed %v", whole, killed)
	}
	s := results.Summarise(run)
	for _, a := range s.Arms {
		if n := results.CountParity(a.Parity, ""); a.Arm.Exact() && n.Equal != a.Requests {
			t.Errorf("%s: parity %v", a.Label, n)
		}
	}
	tables := s.Tables()
	last := tables[len(tables)-1]
	if last.Name != "constraints" || len(last.Rows) != len(s.Arms) || last.Rows[0][1] != "none" || last.Rows[1][1] != "json" || last.Rows[2][1] != "point.json" {
		t.Errorf("%s: %q", last.Name, last.Rows)
	}
	put(t, filepath.Join(filepath.Dir(o.ConfigFile), "point.json"), strings.Replace(pointSchema, "up", "UP", 1))
	o.Resume = true
	if err := Run(t.Context(), c, o); err == nil || !strings.Contains(err.Error(), "the schema in point.json has changed") {
		t.Errorf("resumed with another schema: %v", err)
	}
}

// A run holds texts to what strict, blanks and bounds leave of a schema, and where a bias
// takes away the last token, its error names the schema's file and the token.
func TestRunStrict(t *testing.T) {
	open := strings.Replace(pointSchema, `, "additionalProperties": false`, "", 1)
	texts := func(keys string) (out []string) {
		c, o := toyRun(t, "target: toy\nconstraints: [open.json]\nprompts: [{file: p.jsonl, limit: 6}]\nmax_tokens: 80\n"+keys)
		put(t, filepath.Join(filepath.Dir(o.ConfigFile), "open.json"), open)
		if err := Run(t.Context(), c, o); err != nil {
			t.Fatal(err)
		}
		run, err := results.Read(o.Dir)
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range run.Rows {
			out = append(out, strings.TrimSuffix(r.Text, "\x00"))
		}
		return out
	}
	for _, text := range texts("strict: true\nblanks: 0\n") {
		var p map[string]any
		if err := json.Unmarshal([]byte(text), &p); err != nil || len(p) != 2 || strings.ContainsAny(text, " \n\t\r") {
			t.Errorf("strict, without blanks: %q, %v", text, err)
		}
	}
	if free := texts(""); !slices.ContainsFunc(free, func(text string) bool { return strings.Count(text, ":") > 2 }) {
		t.Errorf("no text has an undeclared member without strict: %q", free)
	}
	c, o := toyRun(t, toyConfig+"constraints: [point.json]\nblanks: 0\nsampler: {logit_bias: {123: -.inf}}\n")
	put(t, filepath.Join(filepath.Dir(o.ConfigFile), "point.json"), pointSchema)
	err := Run(t.Context(), c, o)
	if want := "the JSON schema point.json allows 1 of 128 tokens, a logit bias of -Inf bans 1 (token 123) of them"; err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("%v, want %q", err, want)
	}
}

// What a schema cannot be held to is refused by name, before a model is opened.
func TestRunRefusesSchemas(t *testing.T) {
	for schema, want := range map[string]string{
		`{"uniqueItems": true, "contains": {}}`: `constraint s.json: jsonmask: schema #: uniqueItems is not supported`,
		`{"type": "text"}`:                      "type is text, want the name of a type",
		`{`:                                     "ends before the JSON does",
		"":                                      "is in none of",
	} {
		c, o := toyRun(t, toyConfig+"constraints: [s.json]\n")
		if schema != "" {
			put(t, filepath.Join(filepath.Dir(o.ConfigFile), "s.json"), schema)
		}
		o.Open = func(string) (*Opened, error) { t.Errorf("%s: a model is opened", schema); return nil, errors.New("no") }
		err := Run(t.Context(), c, o)
		var refused *Refusal
		if !errors.As(err, &refused) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", schema, err, want)
		}
		if _, err := os.Stat(o.Dir); err == nil {
			t.Errorf("%s: a folder is left", schema)
		}
	}
}

// thinker spells tags as one token or as letters.
type thinker struct {
	letters
	tags bool
}

func (w thinker) Encode(text string, special bool) []model.Token {
	for i, tag := range []string{"<think>", "</think>"} {
		if w.tags && text == tag {
			return []model.Token{model.Token(1 + i)}
		}
	}
	return w.letters.Encode(text, special)
}

// A block that the prompt has opened, or the model opens, comes before the
// constraint; a closed one does not come again.
func TestConstrainer(t *testing.T) {
	o, _ := toys("toy")
	for _, c := range []struct {
		tags     bool
		thinking int
		prompt   string
		masked   bool // the first position
		fails    string
		forced   model.Token // by the first position, 0 is none
		opens    bool        // the first position allows the tag
	}{
		{true, -1, "user", true, "", 0, true},
		{true, 0, "user \x01\n", false, "", 2, false},
		{true, 5, "user \x01\n", false, "", 0, false},
		{true, 5, "user \x01 \x02\n", true, "", 0, false},
		{true, 5, "a \x01 quoted", true, "", 0, true},
		{false, -1, "user", true, "", 0, false},
		{false, 0, "user <think>\n", false, "", '<', false},
		{false, 3, "user", false, "has no token for <think>", 0, false},
	} {
		w := thinker{letters{size: 128}, c.tags}
		o := &Opened{Name: "toy", Model: o.Model, Ends: o.Ends, Tokenizer: w}
		h, err := o.Constrainer(Constraint{JSON: true, Thinking: c.thinking})
		if err != nil {
			t.Fatal(err)
		}
		e, err := h.Engine(w.Prompt(c.prompt))
		if c.fails != "" {
			if err == nil || !strings.Contains(err.Error(), c.fails) {
				t.Errorf("%+v: %v", c, err)
			}
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		forced, ok := sampler.Position{Engine: e}.Forced()
		if !ok {
			forced = 0
		}
		mask := model.NewMask(128)
		if err := e.Mask(mask); err != nil {
			t.Fatal(err)
		}
		if e.WantsMask() != c.masked || forced != c.forced || c.masked && (mask.Has(1) != c.opens || !mask.Has('{') || mask.Has('a')) {
			t.Errorf("%+v: masked %v, forced %d, opens %v", c, e.WantsMask(), forced, mask.Has(1))
		}
	}
}

// merger has one token for the end of a tag and of its line.
type merger struct{ thinker }

func (m merger) Bytes(x model.Token) []byte {
	if x == 3 {
		return []byte(">\n")
	}
	return m.thinker.Bytes(x)
}

// A tag that is spelled is found however its text is divided.
func TestSpelledTags(t *testing.T) {
	w := merger{thinker{letters{size: 128}, false}}
	for text, want := range map[string]int{
		"<think>": blockOpened, "<think\x03": blockOpened, "x <think\x03\n": blockOpened, "x</think\x03\x03": blockAhead,
		"</think\x03": blockClosed, "<think></think>\n\n": blockClosed, "<think\x03a": blockAhead, "": blockAhead, "\n": blockAhead, ">\x03": blockAhead,
	} {
		if got := tagsOf(w).state(w.Prompt(text)); got != want {
			t.Errorf("%q: %d, want %d", text, got, want)
		}
	}
}

func TestReasoningIsCounted(t *testing.T) {
	o, _ := toys("toy")
	w := thinker{letters{size: 128}, true}
	o = &Opened{Name: "toy", Model: o.Model, Ends: o.Ends, Tokenizer: w}
	for _, c := range []struct {
		prompt, text string
		want         int
		open         bool
	}{{"\x01", "abc\x02{}", 3, false}, {"x", "\x01ab\x02{}", 2, false}, {"x", "{}", 0, false}, {"\x01\x02", "abc", 0, false},
		{"\x01", "abcd", 4, true}, {"\x01", "a\x00", 2, true}, {"x", "\x01a\x00", 2, true}} { // an end of sequence ends it there
		h, err := o.Constrainer(Constraint{Thinking: 9})
		if err != nil {
			t.Fatal(err)
		}
		if got, open := h.Reasoning(w.Prompt(c.prompt), w.Prompt(c.text)); got != c.want || open != c.open {
			t.Errorf("%q after %q: %d tokens, open %v, want %d and %v", c.text, c.prompt, got, open, c.want, c.open)
		}
	}
}

// A model whose texts have no end is refused.
func TestConstrainerNeedsAnEnd(t *testing.T) {
	o, _ := toys("toy")
	o.Ends = nil
	if _, err := o.Constrainer(Constraint{JSON: true, Thinking: -1}); err == nil || !strings.Contains(err.Error(), "no end of sequence") {
		t.Error(err)
	}
	var no *jsonmask.UnsupportedError
	if err := (Constraint{Schema: []byte(`{"uniqueItems":true,"contains":{}}`)}).Check(); !errors.As(err, &no) || no.Keyword != "uniqueItems" {
		t.Error(err)
	}
}
