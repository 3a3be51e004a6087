package load_test

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"foretoken/model"
	"foretoken/model/checkpoint"
	"foretoken/model/checkpoint/checkpointtest"
	"foretoken/model/load"
)

const words = 261 // 256 bytes, 3 controls and 2 merged pieces

// withWords gives m a byte-level vocabulary in a GGUF's metadata.
func withWords(m *checkpointtest.Model) {
	tokens := []string{"<|endoftext|>", "<|im_start|>", "<|im_end|>"}
	types := []int32{3, 3, 3}
	next := rune(256)
	for b := range 256 { // GPT-2's alphabet: bytes that print stand for themselves
		r := rune(b)
		if b < 33 || b > 126 && b < 161 || b == 173 {
			r, next = next, next+1
		}
		tokens, types = append(tokens, string(r)), append(types, 1)
	}
	tokens, types = append(tokens, "he", "ll"), append(types, 1, 1)
	m.Meta = []checkpointtest.KV{
		{Key: "tokenizer.ggml.model", Value: "gpt2"}, {Key: "tokenizer.ggml.pre", Value: "smollm"},
		{Key: "tokenizer.ggml.tokens", Value: tokens}, {Key: "tokenizer.ggml.token_type", Value: types},
		{Key: "tokenizer.ggml.merges", Value: []string{"h e", "l l"}},
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
		if !slices.Equal(l.EOS, []model.Token{2, 0}) {
			t.Errorf("%s: end-of-sequence ids %v", ref, l.EOS)
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

// TestBadOpen has errors of each stage.
func TestBadOpen(t *testing.T) {
	world(t)
	write := func(name string, m *checkpointtest.Model) string {
		if err := m.WriteGGUF(name, checkpoint.F32); err != nil {
			t.Fatal(err)
		}
		return name
	}
	m := small(words - 1)
	_, err := load.Open(write("few.gguf", m))
	if !errors.Is(err, checkpoint.ErrMismatch) || !strings.Contains(err.Error(), "tokenizer.ggml.tokens") {
		t.Errorf("more words than rows: error %v", err)
	}
	m = small(300)
	m.Meta = nil
	if _, err = load.Open(write("mute.gguf", m)); err == nil || !strings.Contains(err.Error(), "mute.gguf") || !strings.Contains(err.Error(), "tokenizer") {
		t.Errorf("no words: error %v", err)
	}
	if _, err = load.Open("nothing"); !errors.Is(err, load.ErrNotFound) {
		t.Errorf("no file: error %v", err)
	}
	put(t, "cut.gguf", "GGUF")
	if _, err = load.Open("cut.gguf"); !errors.Is(err, checkpoint.ErrMalformed) {
		t.Errorf("cut file: error %v", err)
	}
}
