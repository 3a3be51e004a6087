//go:build models

package tokenizer

import (
	"path/filepath"
	"testing"

	"foretoken/model/checkpoint"
	"foretoken/model/modeltest"
)

func openGGUF(t testing.TB) *Tokenizer {
	t.Helper()
	c, err := checkpoint.Open(modeltest.SmolLM2(t))
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

func open(t testing.TB, name string) *Tokenizer {
	t.Helper()
	tok, err := Open(filepath.Join(modeltest.Real(t), "tokenizers", name))
	if err != nil {
		t.Fatal(err)
	}
	return tok
}

// These compare with Python's tokenizers.
func TestQwen3(t *testing.T)  { compare(t, open(t, "qwen3"), "qwen3") }
func TestLlama3(t *testing.T) { compare(t, open(t, "llama3"), "llama3") }
func TestLlama2(t *testing.T) { compare(t, open(t, "llama2"), "llama2") }
func TestGemma3(t *testing.T) { compare(t, open(t, "gemma3"), "gemma3") }

// TestRealGGUF compares with llama.cpp on the same vocabularies written as GGUFs.
func TestRealGGUF(t *testing.T) {
	for name, pre := range map[string]string{"llama2": "", "llama3": "llama-bpe", "qwen3": "qwen2"} {
		t.Run(name, func(t *testing.T) {
			tok := fromGGUF(t, asGGUF(t, filepath.Join(modeltest.Real(t), "tokenizers", name), pre))
			compare(t, tok, "gguf-"+name)
			if err := Same(tok, open(t, name)); err != nil {
				t.Errorf("the GGUF and the tokenizer.json it was made of: %v", err)
			}
		})
	}
}
