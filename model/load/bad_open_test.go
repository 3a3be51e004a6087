package load_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"foretoken/model/checkpoint"
	"foretoken/model/checkpoint/checkpointtest"
	"foretoken/model/load"
)

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
	if err := os.Mkdir("few", 0o755); err != nil {
		t.Fatal(err)
	}
	if err := small(words-1).WriteFolder("few", checkpoint.F32, 1); err != nil {
		t.Fatal(err)
	}
	if _, err = load.Open("few"); !errors.Is(err, load.ErrVocabulary) || !strings.Contains(err.Error(), "few: ") {
		t.Errorf("more words than rows, in a folder: error %v", err)
	}
	if err := os.Remove(filepath.Join("few", "tokenizer.json")); err != nil {
		t.Fatal(err)
	}
	if _, err = load.Open("few"); !errors.Is(err, fs.ErrNotExist) || !strings.Contains(err.Error(), "tokenizer.json") {
		t.Errorf("no tokenizer: error %v", err)
	}
	if _, err = load.Open("nothing"); !errors.Is(err, load.ErrNotFound) {
		t.Errorf("no file: error %v", err)
	}
	put(t, "cut.gguf", "GGUF")
	if _, err = load.Open("cut.gguf"); !errors.Is(err, checkpoint.ErrMalformed) {
		t.Errorf("cut file: error %v", err)
	}
}
