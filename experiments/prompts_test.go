package experiments

import (
	"errors"
	"strings"
	"testing"
)

func TestParsePromptsRefuses(t *testing.T) {
	for line, want := range map[string]string{
		`{"id": "x", "domain": "d", "prompt": "p"`:                                        "p.jsonl:2: ends before the JSON does",
		`{"id": "x", "domain": "d", "promt": "p"}`:                                        `p.jsonl:2: promt: unknown key, want some of id, domain`,
		`{"domain": "d", "prompt": "p"}`:                                                  "id is missing",
		`{"id": "x", "prompt": "p"}`:                                                      "domain is missing",
		`{"id": "x", "domain": "d"}`:                                                      "want either prompt or messages",
		`{"id": "x", "domain": "d", "prompt": "p", "messages": [{"role": "user"}]}`:       "want either prompt or messages",
		`{"id": "x", "domain": "d", "raw": true, "messages": [{"role": "user"}]}`:         "raw needs prompt",
		`{"id": "x", "domain": "d", "messages": [{"role": "usr", "content": "c"}]}`:       `messages[0].role: "usr", want system, user or assistant`,
		`{"id": "ok", "domain": "d", "prompt": "p"}`:                                      `id "ok" is on line 1 already`,
		`{"id": "x", "domain": "d", "prompt": "p"} {"id": "y", "domain": "d", "raw": no}`: "more than one value",
		`{"id": "x\u0000", "domain": "d", "prompt": "p"}`:                                 `id "x\x00", domain "d", want no control characters`,
		`{"id": "x", "domain": "d\n\u001b[31m", "prompt": "p"}`:                           "want no control characters",
		"{\"id\": \"x\", \"domain\": \"d\", \"prompt\": \"\xff\"}":                        "is not UTF-8 text",
		`{"id": "x", "domain": "d", "prompt": "a\ud800"}`:                                 `p.jsonl:2: \ud800, byte 39, is half of a surrogate pair, want both`,
		`{"id": "x", "domain": "d", "prompt": 7}`:                                         "prompt: a number, want text",
		`{"id": "x", "domain": "d", "id": "y", "prompt": "p"}`:                            "id: is there already",
		`{"id": "x", "domain": "d", "Prompt": "p"}`:                                       `Prompt: unknown key, did you mean "prompt"?`,
		`{"id": "x", "domain": "d", "prompt": " \n"}`:                                     `prompt: " \n", want text`,
		`{"id": "x", "domain": "d", "messages": [{"role": "user", "content": ""}]}`:       `messages[0].content: "", want text`,
		`{"id": "x", "domain": "d", "messages": [{"role": "user"}]}`:                      `messages[0].content: "", want text`,
		`[]`: "a list, want a group of keys",
	} {
		_, err := ParsePrompts("p.jsonl", []byte(`{"id": "ok", "domain": "d", "prompt": "p"}`+"\n"+line+"\n"))
		var bad *PromptError
		if !errors.As(err, &bad) || bad.Line != 2 || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q on line 2", line, err, want)
		}
	}
	if _, err := ParsePrompts("p.jsonl", []byte("\n \n")); err == nil || !strings.Contains(err.Error(), "has no prompts") {
		t.Errorf("an empty set: %v", err)
	}
}

func TestParsePromptsFromWindows(t *testing.T) {
	got, err := ParsePrompts("p.jsonl", []byte("\ufeff{\"id\": \"a\", \"domain\": \"d\", \"prompt\": \"p\"}\r\n{\"id\": \"b\", \"domain\": \"d\", \"prompt\": \"p\"}\r\n"))
	if err != nil || len(got) != 2 {
		t.Errorf("read %+v, %v", got, err)
	}
}

// The sets that come with the project are read.
func TestShippedPrompts(t *testing.T) {
	for _, name := range []string{"chat", "story", "summarise", "json"} {
		prompts, sets, err := LoadPrompts([]PromptSource{{File: name + ".jsonl"}}, "prompts")
		if err != nil {
			t.Error(err)
			continue
		}
		if len(prompts) < 20 || len(sets[0].SHA256) != 64 {
			t.Errorf("%s: %d prompts, %+v", name, len(prompts), sets)
		}
	}
}

// Whatever the bytes: prompts that hold what is asked of them, or a PromptError.
func FuzzPrompts(f *testing.F) {
	f.Add([]byte(toyPrompts))
	f.Add([]byte(`{"id":"x","domain":"d","prompt":"p"}{`))
	f.Fuzz(func(t *testing.T, data []byte) {
		prompts, err := ParsePrompts("fuzz.jsonl", data)
		var bad *PromptError
		if err != nil && !errors.As(err, &bad) {
			t.Fatalf("%T: %v", err, err)
		}
		for _, p := range prompts {
			if p.ID == "" || p.Domain == "" || p.Prompt == "" && len(p.Messages) == 0 {
				t.Fatalf("read %+v", p)
			}
		}
	})
}

// The program's own sets need no folder; one that it lacks is refused by name.
func TestCarriedPrompts(t *testing.T) {
	prompts, sets, err := LoadPrompts([]PromptSource{{File: "embedded:chat.jsonl", Limit: 3}})
	if err != nil || len(prompts) != 3 || sets[0].File != "embedded:chat.jsonl" || len(sets[0].SHA256) != 64 {
		t.Errorf("%d prompts, %+v, %v", len(prompts), sets, err)
	}
	var e *PromptError
	if _, _, err := LoadPrompts([]PromptSource{{File: "embedded:../config.go"}}); !errors.As(err, &e) || e.File != "embedded:../config.go" {
		t.Errorf("%v", err)
	}
}

func TestEmbeddedConfig(t *testing.T) {
	c, err := Parse("embedded.yaml", []byte(Embedded))
	if err != nil || c.Target != "embedded" || len(c.Drafters) == 0 || len(c.K) == 0 {
		t.Errorf("%+v, %v", c, err)
	}
	if _, _, err := LoadPrompts(c.Prompts); err != nil {
		t.Error(err)
	}
}
