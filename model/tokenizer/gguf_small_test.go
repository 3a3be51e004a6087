package tokenizer

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"foretoken/model"
)

// asGGUF writes the tokenizer.json of a folder as a GGUF's metadata, as
// golden_tokenizer.py does for llama.cpp.
func asGGUF(t testing.TB, dir, pre string) map[string]any {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(dir, "tokenizer.json"))
	if err != nil {
		t.Fatal(err)
	}
	var d document
	if err := json.Unmarshal(data, &d); err != nil {
		t.Fatal(err)
	}
	size := model.Token(0)
	for _, id := range d.Model.Vocab {
		size = max(size, id+1)
	}
	for _, a := range d.Added {
		size = max(size, a.ID+1)
	}
	tokens, types, scores := make([]string, size), make([]int32, size), make([]float32, size)
	for s, id := range d.Model.Vocab {
		if s == "<no byte>" { // llama.cpp needs all bytes
			s = "<0xE4>"
		}
		tokens[id], types[id] = s, ggufNormal
		if _, ok := hexByte(s); ok && pre == "" {
			types[id] = ggufByte
		}
	}
	for _, a := range d.Added {
		tokens[a.ID], types[a.ID] = a.Content, ggufUserDefined
		if a.Special || strings.HasPrefix(a.Content, "<|") {
			types[a.ID] = ggufControl
		}
		if a.Content == "<unk>" {
			types[a.ID] = ggufUnknown
		}
	}
	for i := range scores {
		scores[i] = -float32(i)
	}
	var merges []string
	for _, m := range d.Model.Merges {
		merges = append(merges, m[0]+" "+m[1])
	}
	meta := map[string]any{"tokenizer.ggml.tokens": tokens, "tokenizer.ggml.token_type": types}
	if pre == "" {
		meta["tokenizer.ggml.model"], meta["tokenizer.ggml.scores"] = "llama", scores
	} else {
		meta["tokenizer.ggml.model"], meta["tokenizer.ggml.pre"], meta["tokenizer.ggml.merges"] = "gpt2", pre, merges
	}
	return meta
}

func fromGGUF(t testing.TB, meta map[string]any) *Tokenizer {
	t.Helper()
	tok, err := FromGGUF(meta)
	if err != nil {
		t.Fatal(err)
	}
	return tok
}

// TestSmallGGUF compares with llama.cpp.
func TestSmallGGUF(t *testing.T) {
	for name, pre := range map[string]string{"spm": "", "bytelevel": "llama-bpe"} {
		t.Run(name, func(t *testing.T) {
			tok := fromGGUF(t, asGGUF(t, filepath.Join("testdata", name), pre))
			compare(t, tok, "gguf-"+name)
			for i := range 200 {
				checkStream(t, tok, sequence(i, tok.Vocab()))
			}
		})
	}
}
