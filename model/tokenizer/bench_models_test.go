//go:build models

package tokenizer

import (
	"path/filepath"
	"strings"
	"testing"
)

// prose is 100 KB of the golden strings.
func prose(t testing.TB) string {
	var f fragments
	readJSON(t, filepath.Join("testdata", "fragments.json"), &f)
	var b strings.Builder
	for i := 0; b.Len() < 100<<10; i++ {
		b.WriteString(f.text(i, []string{""}))
		b.WriteByte('\n')
	}
	return b.String()
}

func BenchmarkEncode(b *testing.B) {
	text := prose(b)
	for name, tok := range map[string]*Tokenizer{"smollm2": openGGUF(b), "qwen3": open(b, "qwen3"), "llama2": open(b, "llama2")} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				tok.Encode(text, true)
			}
		})
	}
}

func BenchmarkOpen(b *testing.B) {
	for _, name := range []string{"qwen3", "llama2", "gemma3"} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				open(b, name)
			}
		})
	}
}
