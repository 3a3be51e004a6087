package tokenizer

import (
	"path/filepath"
	"testing"
)

// small are tokenizers of our own with every component, which Python's tokenizers
// has encoded and decoded with.
var small = []string{"bytelevel", "spm", "metaspace", "words"}

func openSmall(t testing.TB, name string) *Tokenizer {
	t.Helper()
	tok, err := Open(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return tok
}

func TestSmall(t *testing.T) {
	for _, name := range small {
		t.Run(name, func(t *testing.T) { compare(t, openSmall(t, name), name) })
	}
}
