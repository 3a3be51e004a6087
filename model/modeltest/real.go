package modeltest

import (
	"os"
	"path/filepath"
	"testing"
)

// Real is the folder of real models that make models and its like fill:
// $FORETOKEN_MODELS, else models beside go.mod.
func Real(t testing.TB) string {
	t.Helper()
	if dir := os.Getenv("FORETOKEN_MODELS"); dir != "" {
		return dir
	}
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return filepath.Join(dir, "models")
		}
		up := filepath.Dir(dir)
		if up == dir {
			t.Fatal("modeltest: no go.mod in this folder or above it")
		}
		dir = up
	}
}

// SmolLM2Name is the model that the tests on real weights run on.
const SmolLM2Name = "SmolLM2-135M-Instruct"

// SmolLM2 is its file.
func SmolLM2(t testing.TB) string {
	t.Helper()
	return filepath.Join(Real(t), SmolLM2Name, SmolLM2Name+".Q4_1.gguf")
}
