//go:build models

package tokenizer

import (
	"os"
	"path/filepath"
	"testing"

	"foretoken/model/checkpoint"
)

// modelsDir is where make models and make tokenizers put their files.
func modelsDir() string {
	if dir := os.Getenv("FORETOKEN_MODELS"); dir != "" {
		return dir
	}
	return filepath.Join("..", "..", "models")
}

func openGGUF(t testing.TB) *Tokenizer {
	t.Helper()
	c, err := checkpoint.Open(filepath.Join(modelsDir(), "SmolLM2-135M-Instruct", "SmolLM2-135M-Instruct.Q4_1.gguf"))
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	tok, err := FromGGUF(c.GGUF)
	if err != nil {
		t.Fatal(err)
	}
	return tok
}

// TestSmolLM2 compares with llama.cpp.
func TestSmolLM2(t *testing.T) { compare(t, openGGUF(t), "smollm2") }
