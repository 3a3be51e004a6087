//go:build models

package jsonmask

import (
	"math/rand/v2"
	"path/filepath"
	"testing"

	"foretoken/model"
	"foretoken/model/modeltest"
	"foretoken/model/tokenizer"
)

// Qwen3's vocabulary as engines see it, padded to what its models have.
func qwen3(t testing.TB) *Vocabulary {
	tok, err := tokenizer.Open(filepath.Join(modeltest.Real(t), "tokenizers", "qwen3"))
	if err != nil {
		t.Fatal(err)
	}
	tokens := make([][]byte, 151936)
	for i := range min(tok.Vocab(), len(tokens)) {
		if x := model.Token(i); !tok.Special(x) {
			tokens[i] = tok.Bytes(x)
		}
	}
	return NewVocabulary(tokens, []model.Token{151645})
}

// On a real vocabulary too masks are what feeding every token byte by byte says, in
// states that an engine knew when it was made and in others.
func TestMaskIsBruteForceOnQwen3(t *testing.T) {
	r, v := rand.New(rand.NewPCG(11, 3)), qwen3(t)
	allowed := model.NewMask(len(v.tokens))
	known, met := 0, 0
	for i, schema := range randomSchemas {
		e := mustSchema(t, v, schema)
		brute := newMachine(mustRoot(t, schema), &space{MaxBlanks})
		at := brute.start
		for range 12 {
			if e.at.mask != nil {
				known++
			}
			met++
			if err := e.Mask(allowed); err != nil {
				t.Fatal(err)
			}
			var choices []model.Token
			for x, text := range v.tokens {
				if len(text) == 0 || model.Token(x) == v.eos[0] {
					continue
				}
				want := brute.run(at, text) != nil
				if allowed.Has(model.Token(x)) != want {
					t.Fatalf("schema %d, %q: mask says %v, bytes say %v", i, text, !want, want)
				}
				if want {
					choices = append(choices, model.Token(x))
				}
			}
			if allowed.Has(v.eos[0]) != at.done {
				t.Fatalf("schema %d: the end of sequence is allowed: %v, want %v", i, !at.done, at.done)
			}
			if len(choices) == 0 {
				break
			}
			x := choices[r.IntN(len(choices))]
			next, err := e.Next(x)
			if err != nil {
				t.Fatal(err)
			}
			e, at = next.(state), brute.run(at, v.tokens[x])
		}
	}
	t.Logf("%d masks, %d of them known beforehand", met, known)
	if known == 0 || known == met {
		t.Errorf("%d of %d masks were known beforehand, want some", known, met)
	}
}

func mustRoot(t testing.TB, schema string) *value {
	root, err := read([]byte(schema), Options{Blanks: MaxBlanks})
	if err != nil {
		t.Fatal(err)
	}
	return root
}
