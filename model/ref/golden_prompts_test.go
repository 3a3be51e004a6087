//go:build models

package ref_test

import (
	"bufio"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"foretoken/model/checkpoint"
	"foretoken/model/modeltest"
	"foretoken/model/tokenizer"
)

// The golden prompts were rendered by Jinja2 and encoded by Python's tokenizers:
// our own template and tokenizer give the same ids.
func TestGoldenPrompts(t *testing.T) {
	g := readGolden(t)
	c, err := checkpoint.Open(filepath.Join(modeltest.Real(t), filepath.FromSlash(g.Model)))
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	tok, err := tokenizer.FromGGUF(c.GGUF)
	if err != nil {
		t.Fatal(err)
	}
	texts := promptTexts(t, tok)
	for _, p := range g.Prompts {
		text, ok := texts[p.ID]
		if !ok {
			t.Errorf("%s is in no prompt set", p.ID)
		}
		if got := tok.Prompt(text); !slices.Equal(got, p.Prompt) {
			n := 0
			for n < min(len(got), len(p.Prompt)) && got[n] == p.Prompt[n] {
				n++
			}
			t.Errorf("%s: %d ids, want %d; they part at %d, after %q", p.ID, len(got), len(p.Prompt), n, tok.Decode(got[:n], false))
		}
	}
}

// promptTexts renders every prompt of the sets, by id.
func promptTexts(t *testing.T, tok *tokenizer.Tokenizer) map[string]string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("..", "..", "experiments", "prompts", "*.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	texts := map[string]string{}
	for _, file := range append(files, filepath.Join(modeltest.Real(t), "prompts", "humaneval.jsonl")) {
		f, err := os.Open(file)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		for lines := bufio.NewScanner(f); lines.Scan(); {
			var row struct {
				ID, Prompt string
				Messages   []tokenizer.Message
				Raw        bool
			}
			if err := json.Unmarshal(lines.Bytes(), &row); err != nil {
				t.Fatalf("%s: %v", file, err)
			}
			texts[row.ID] = row.Prompt
			if row.Raw {
				continue
			}
			if row.Prompt != "" {
				row.Messages = []tokenizer.Message{{Role: "user", Content: row.Prompt}}
			}
			if texts[row.ID], err = tok.Chat(row.Messages, tokenizer.ChatOptions{AddGenerationPrompt: true}); err != nil {
				t.Fatalf("%s: %v", row.ID, err)
			}
		}
	}
	return texts
}
