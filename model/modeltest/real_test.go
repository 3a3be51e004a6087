package modeltest_test

import (
	"os"
	"path/filepath"
	"testing"

	"foretoken/model/modeltest"
)

// The folder is the same from every package of the module, and another where it is
// said.
func TestReal(t *testing.T) {
	root, err := filepath.Abs(filepath.Join("..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	for _, from := range []string{".", root, filepath.Join(root, "spec")} {
		t.Chdir(from)
		t.Setenv("FORETOKEN_MODELS", "")
		if got, want := modeltest.Real(t), filepath.Join(root, "models"); got != want {
			t.Errorf("from %s: %s, want %s", from, got, want)
		}
		t.Setenv("FORETOKEN_MODELS", "elsewhere")
		want := filepath.Join("elsewhere", modeltest.SmolLM2Name, modeltest.SmolLM2Name+".Q4_1.gguf")
		if got := modeltest.SmolLM2(t); got != want {
			t.Errorf("from %s: %s, want %s", from, got, want)
		}
	}
	if _, err := os.Stat(filepath.Join(root, "go.mod")); err != nil {
		t.Error(err)
	}
}
