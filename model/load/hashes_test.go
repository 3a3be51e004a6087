package load

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"
)

func hashOf(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

// lay puts files in a folder.
func lay(t *testing.T, files map[string][]byte) string {
	t.Helper()
	dir := t.TempDir()
	for name, data := range files {
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// The hashes of a folder are those of its weights, configuration, tokenizer and template;
// of a GGUF file its own, or those of all its parts.
func TestHashes(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	dir := lay(t, map[string][]byte{"model.safetensors": []byte("w"), "config.json": []byte("c"), "chat_template.jinja": []byte("j"), "README.md": []byte("r")})
	got, err := Hashes("mlx:" + dir)
	if err != nil || len(got) != 3 {
		t.Errorf("with an engine before the path: %v %v", got, err)
	}
	if got, err = Hashes(dir); err != nil || !maps.Equal(got, map[string]string{"model.safetensors": hashOf([]byte("w")), "config.json": hashOf([]byte("c")), "chat_template.jinja": hashOf([]byte("j"))}) {
		t.Errorf("%v %v", got, err)
	}
	dir = lay(t, map[string][]byte{"a[1]-00001-of-00002.gguf": []byte("1"), "a[1]-00002-of-00002.gguf": []byte("2"), "a1-00001-of-00002.gguf": []byte("3"), "b.gguf": []byte("4")})
	got, err = Hashes(filepath.Join(dir, "a[1]-00001-of-00002.gguf"))
	if names := slices.Sorted(maps.Keys(got)); err != nil || !slices.Equal(names, []string{"a[1]-00001-of-00002.gguf", "a[1]-00002-of-00002.gguf"}) {
		t.Errorf("%v %v", got, err)
	}
	if got, err = Hashes(filepath.Join(dir, "b.gguf")); err != nil || len(got) != 1 || got["b.gguf"] != hashOf([]byte("4")) {
		t.Errorf("%v %v", got, err)
	}
	if got, err = Hashes("embedded"); err != nil || len(got) < 3 || got["model.safetensors"] == "" {
		t.Errorf("%v %v", got, err)
	}
	if _, err = Hashes("nobody"); err == nil {
		t.Error("a model that is not there has hashes")
	}
}

// A large file is hashed once for its size and time, and again when either changes; a
// damaged cache is no cache.
func TestHashesAreRemembered(t *testing.T) {
	cache := t.TempDir()
	t.Setenv("XDG_CACHE_HOME", cache)
	large := bytes.Repeat([]byte("x"), smallFile)
	dir := lay(t, map[string][]byte{"m.gguf": large})
	file := filepath.Join(dir, "m.gguf")
	hash := func() string {
		got, err := Hashes(file)
		if err != nil {
			t.Fatal(err)
		}
		return got["m.gguf"]
	}
	first, info := hash(), stat(t, file)
	other := bytes.Repeat([]byte("y"), smallFile)
	if err := os.WriteFile(file, other, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Chtimes(file, time.Time{}, info.ModTime()); err != nil {
		t.Fatal(err)
	}
	if hash() != first {
		t.Error("a file of the same size and time is hashed anew")
	}
	if err := os.Chtimes(file, time.Time{}, info.ModTime().Add(time.Nanosecond)); err != nil {
		t.Fatal(err)
	}
	if hash() != hashOf(other) {
		t.Error("a file of another time is not hashed anew")
	}
	if err := os.WriteFile(filepath.Join(cache, "foretoken", "sha256.json"), []byte("{\"a\": "), 0o644); err != nil {
		t.Fatal(err)
	}
	if hash() != hashOf(other) {
		t.Error("a damaged cache is believed")
	}
}

func stat(t *testing.T, file string) os.FileInfo {
	t.Helper()
	info, err := os.Stat(file)
	if err != nil {
		t.Fatal(err)
	}
	return info
}
