package load_test

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"foretoken/model"
	"foretoken/model/checkpoint"
	"foretoken/model/checkpoint/checkpointtest"
	"foretoken/model/load"
)

const words = 261 // 256 bytes, 3 controls and 2 merged pieces

// vocabulary has GPT-2's alphabet, in which bytes that print stand for themselves.
func vocabulary() (tokens []string) {
	tokens = []string{"<|endoftext|>", "<|im_start|>", "<|im_end|>"}
	next := rune(256)
	for b := range 256 {
		r := rune(b)
		if b < 33 || b > 126 && b < 161 || b == 173 {
			r, next = next, next+1
		}
		tokens = append(tokens, string(r))
	}
	return append(tokens, "he", "ll")
}

// withWords gives m the vocabulary, in a GGUF's metadata and as tokenizer.json.
func withWords(m *checkpointtest.Model) {
	tokens := vocabulary()
	types := slices.Repeat([]int32{1}, len(tokens))
	ids, added := map[string]int{}, []any{}
	for id, s := range tokens {
		if id < 3 {
			types[id] = 3
			added = append(added, map[string]any{"id": id, "content": s, "special": true, "normalized": false})
		}
		ids[s] = id
	}
	merges := []string{"h e", "l l"}
	m.Meta = []checkpointtest.KV{
		{Key: "tokenizer.ggml.model", Value: "gpt2"}, {Key: "tokenizer.ggml.pre", Value: "smollm"},
		{Key: "tokenizer.ggml.tokens", Value: tokens}, {Key: "tokenizer.ggml.token_type", Value: types},
		{Key: "tokenizer.ggml.merges", Value: merges},
	}
	bytes := map[string]any{"type": "ByteLevel", "add_prefix_space": false, "use_regex": true}
	b, err := json.Marshal(map[string]any{
		"version": "1.0", "added_tokens": added, "pre_tokenizer": bytes, "decoder": bytes,
		"model": map[string]any{"type": "BPE", "vocab": ids, "merges": merges},
	})
	if err != nil {
		panic(err)
	}
	m.Files = map[string][]byte{
		"tokenizer.json":        b,
		"tokenizer_config.json": []byte(`{"eos_token": "<|im_start|>"}`),
	}
}

func small(rows int) *checkpointtest.Model {
	c := checkpointtest.Small("llama")
	c.Vocab = rows
	c.EOS = []model.Token{2, 0}
	m := checkpointtest.New(c, 1)
	withWords(m)
	return m
}

// tokens are the ids that end a sequence.
func tokens(l *load.Loaded) []model.Token {
	var ids []model.Token
	for _, e := range l.Ends {
		ids = append(ids, e.Token)
	}
	return ids
}

// A GGUF file whose end of sequence is <|endoftext|> ends at <|im_end|> too, with which its
// turns end: a control token's text says so, and who says it is kept.
func TestEndsByText(t *testing.T) {
	world(t)
	m := small(300)
	m.Config.EOS = []model.Token{0}
	if err := m.WriteGGUF("turns.gguf", checkpoint.Q8_0); err != nil {
		t.Fatal(err)
	}
	l, err := load.Open("turns.gguf")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	if len(l.Ends) != 2 || l.Ends[0].Text != "<|endoftext|>" || l.Ends[1].Text != "<|im_end|>" || !slices.Equal(l.Ends[1].From, []string{"its text"}) ||
		!slices.Equal(l.Ends[0].From, []string{"checkpoint", "tokenizer", "its text"}) {
		t.Errorf("ends %+v", l.Ends)
	}
}

// TestOpenGGUF opens a model by path and by name, and decodes with it.
func TestOpenGGUF(t *testing.T) {
	world(t)
	m := small(300)
	if err := os.MkdirAll("models", 0o755); err != nil {
		t.Fatal(err)
	}
	if err := m.WriteGGUF(filepath.Join("models", "tiny.gguf"), checkpoint.Q8_0); err != nil {
		t.Fatal(err)
	}
	for _, ref := range []string{"tiny", filepath.Join("models", "tiny.gguf")} {
		l, err := load.Open(ref)
		if err != nil {
			t.Fatal(err)
		}
		info := l.Model.Info()
		if l.Name != "tiny" || info.Name != "tiny" || l.Path != filepath.Join("models", "tiny.gguf") {
			t.Errorf("%s: name %q, the model's %q, path %q", ref, l.Name, info.Name, l.Path)
		}
		if info.Vocab != 300 || info.Real != words || info.Layers != 2 || info.Context != 128 {
			t.Errorf("%s: %+v", ref, info)
		}
		if !slices.Equal(tokens(l), []model.Token{2, 0}) {
			t.Errorf("%s: end-of-sequence ids %v", ref, tokens(l))
		}
		ids := l.Tokenizer.Prompt("hello")
		if text := l.Tokenizer.Decode(ids, true); text != "hello" {
			t.Errorf("%s: %v is %q", ref, ids, text)
		}
		s, err := l.Model.NewSession()
		if err != nil {
			t.Fatal(err)
		}
		logits, err := s.Forward(ids, 1)
		if err != nil {
			t.Fatal(err)
		}
		if best, err := logits.Argmaxes(); err != nil || len(best) != 1 {
			t.Errorf("%s: %v, %v", ref, best, err)
		}
		if err := errors.Join(s.Close(), l.Close()); err != nil {
			t.Error(err)
		}
	}
}

// TestOpenFolder opens a model of Hugging Face's cache, whose tokenizer names one
// more id that ends a sequence.
func TestOpenFolder(t *testing.T) {
	world(t)
	t.Setenv("HF_HUB_CACHE", "hub")
	snapshot := filepath.Join("hub", "models--org--tiny", "snapshots", "abc")
	if err := os.MkdirAll(snapshot, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := small(300).WriteFolder(snapshot, checkpoint.BF16, 2); err != nil {
		t.Fatal(err)
	}
	l, err := load.Open("org/tiny")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	if info := l.Model.Info(); l.Name != "org/tiny" || info.Name != "org/tiny" || l.Path != snapshot || info.Real != words || info.Vocab != 300 {
		t.Errorf("name %q, path %q, %+v", l.Name, l.Path, info)
	}
	if !slices.Equal(tokens(l), []model.Token{2, 0, 1}) {
		t.Errorf("end-of-sequence ids %v, want those of the config and the tokenizer's", tokens(l))
	}
	if ids := l.Tokenizer.Prompt("hello"); l.Tokenizer.Decode(ids, true) != "hello" || len(ids) != 3 {
		t.Errorf("hello is %v", ids)
	}
}
