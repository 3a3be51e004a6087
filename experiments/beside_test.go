package experiments

import (
	"os"
	"path/filepath"
	"testing"
)

// A model's relative path is looked for beside the config, whatever folder the program runs
// in; a name, an absolute path and one that is not there stay as they are.
func TestBeside(t *testing.T) {
	dir := t.TempDir()
	put(t, filepath.Join(dir, "small.gguf"), "x")
	if err := os.MkdirAll(filepath.Join(dir, "heads", "one"), 0o755); err != nil {
		t.Fatal(err)
	}
	at := beside(filepath.Join(dir, "my.yaml"))
	for ref, want := range map[string]string{
		"small.gguf": filepath.Join(dir, "small.gguf"), "mlx:small.gguf": "mlx:" + filepath.Join(dir, "small.gguf"), "heads/one": filepath.Join(dir, "heads/one"),
		"SmolLM2": "SmolLM2", "mlx:SmolLM2": "mlx:SmolLM2", "/abs/small.gguf": "/abs/small.gguf", "other.gguf": "other.gguf", "": "",
	} {
		if got := at(ref); got != want {
			t.Errorf("%q is %q, want %q", ref, got, want)
		}
	}
	if got := beside("")("small.gguf"); got != "small.gguf" {
		t.Errorf("without a config's file it is %q", got)
	}
}
