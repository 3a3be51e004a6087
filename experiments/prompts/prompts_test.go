// Package prompts holds the prompt sets that come with the project. All were
// written for it; the programming problems of HumanEval are fetched instead.
package prompts

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

type prompt struct {
	ID       string    `json:"id"`
	Domain   string    `json:"domain"`
	Prompt   string    `json:"prompt"`
	Messages []message `json:"messages"`
	Raw      bool      `json:"raw"`
}

type message struct {
	Role    string `json:"role"`
	Content string `json:"content"`
}

// text is all that a model is shown of p.
func (p prompt) text() string {
	var b strings.Builder
	b.WriteString(p.Prompt)
	for _, m := range p.Messages {
		b.WriteString(m.Role + "\n" + m.Content + "\n")
	}
	return b.String()
}

// check says what is wrong with the form of p.
func (p prompt) check() error {
	switch {
	case p.ID == "" || p.Domain == "":
		return errors.New("want an id and a domain")
	case (p.Prompt == "") == (len(p.Messages) == 0):
		return errors.New("want either a prompt or messages")
	case p.Raw && p.Prompt == "":
		return errors.New("raw is for a prompt, not for messages")
	}
	turns := p.Messages
	if len(turns) > 0 && turns[0].Role == "system" {
		turns = turns[1:]
	}
	for i, m := range turns {
		if want := []string{"user", "assistant"}[i%2]; m.Role != want {
			return fmt.Errorf("turn %d is of %q, want %q", i, m.Role, want)
		}
		if m.Content == "" || strings.TrimSpace(m.Content) != m.Content {
			return fmt.Errorf("turn %d is empty or has white space around it", i)
		}
	}
	if len(p.Messages) > 0 && len(turns)%2 != 1 {
		return errors.New("want the last turn to be the user's")
	}
	return nil
}

func read(t *testing.T, name string) []prompt {
	t.Helper()
	data, err := os.ReadFile(name + ".jsonl")
	if err != nil {
		t.Fatal(err)
	}
	var out []prompt
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	for {
		var p prompt
		switch err := d.Decode(&p); {
		case err == io.EOF:
			if lines := bytes.Count(data, []byte("\n")); lines != len(out) {
				t.Fatalf("%s: %d prompts on %d lines", name, len(out), lines)
			}
			return out
		case err != nil:
			t.Fatalf("%s, prompt %d: %v", name, len(out)+1, err)
		}
		if err := p.check(); err != nil {
			t.Errorf("%s, prompt %d (%s): %v", name, len(out)+1, p.ID, err)
		}
		out = append(out, p)
	}
}

// A set is one domain's, and large enough for a cluster bootstrap over prompts.
func TestSets(t *testing.T) {
	for _, name := range []string{"chat", "story", "summarise", "json"} {
		set := read(t, name)
		if len(set) < 24 {
			t.Errorf("%s has %d prompts, want at least 24", name, len(set))
		}
		for _, p := range set {
			if p.Domain != name {
				t.Errorf("%s is of %q, want %q", p.ID, p.Domain, name)
			}
		}
	}
}

func TestSmokeHasEveryDomain(t *testing.T) {
	var have []string
	for _, p := range read(t, "smoke") {
		have = append(have, p.Domain)
	}
	slices.Sort(have)
	if want := []string{"chat", "code", "json", "story", "summarise"}; !slices.Equal(have, want) {
		t.Errorf("smoke has %v, want %v", have, want)
	}
}

// An id names a prompt in results, over all sets.
func TestNothingTwice(t *testing.T) {
	files, err := filepath.Glob("*.jsonl")
	if err != nil || len(files) != 5 {
		t.Fatalf("found %v (%v), want 5 sets", files, err)
	}
	ids, texts := map[string]string{}, map[string]string{}
	for _, f := range files {
		for _, p := range read(t, strings.TrimSuffix(f, ".jsonl")) {
			if at, ok := ids[p.ID]; ok {
				t.Errorf("id %s is in %s and in %s", p.ID, at, f)
			}
			text := strings.ToLower(strings.Join(strings.Fields(p.text()), " "))
			if other, ok := texts[text]; ok {
				t.Errorf("%s and %s are the same prompt", other, p.ID)
			}
			ids[p.ID], texts[text] = f, p.ID
		}
	}
}

func TestSummariseHasPassages(t *testing.T) {
	for _, p := range read(t, "summarise") {
		_, passage, _ := strings.Cut(p.Messages[0].Content, "\n\n")
		if n := len(strings.Fields(passage)); n < 80 || n > 200 {
			t.Errorf("%s has a passage of %d words, want 80 to 200", p.ID, n)
		}
	}
}

func TestJSONAsksForJSON(t *testing.T) {
	for _, p := range read(t, "json") {
		if !strings.Contains(p.text(), "JSON") {
			t.Errorf("%s does not ask for JSON", p.ID)
		}
	}
}

func TestCheckRefuses(t *testing.T) {
	user := message{"user", "Hello."}
	for name, p := range map[string]prompt{
		"no id":          {Domain: "chat", Prompt: "x"},
		"no prompt":      {ID: "a", Domain: "chat"},
		"both":           {ID: "a", Domain: "chat", Prompt: "x", Messages: []message{user}},
		"raw messages":   {ID: "a", Domain: "chat", Raw: true, Messages: []message{user}},
		"two user turns": {ID: "a", Domain: "chat", Messages: []message{user, user}},
		"open answer":    {ID: "a", Domain: "chat", Messages: []message{user, {"assistant", "Hi."}}},
		"system alone":   {ID: "a", Domain: "chat", Messages: []message{{"system", "Be brief."}}},
	} {
		if p.check() == nil {
			t.Errorf("%s passes", name)
		}
	}
}
