package tokenizer

import (
	"errors"
	"maps"
	"path/filepath"
	"strings"
	"testing"
)

// TestGGUFCuts compares other cuts of words with llama.cpp, on the same small vocabulary.
func TestGGUFCuts(t *testing.T) {
	for _, pre := range []string{"tekken", "deepseek-llm", "deepseek-coder", "default"} {
		t.Run(pre, func(t *testing.T) {
			compare(t, fromGGUF(t, asGGUF(t, filepath.Join("testdata", "bytelevel"), pre)), "gguf-bytelevel+"+pre)
		})
	}
	meta := asGGUF(t, filepath.Join("testdata", "bytelevel"), "default")
	delete(meta, "tokenizer.ggml.pre")
	compare(t, fromGGUF(t, meta), "gguf-bytelevel+default")
}

func TestGGUFRefuses(t *testing.T) {
	bpe := map[string]any{"tokenizer.ggml.model": "gpt2", "tokenizer.ggml.pre": "smollm",
		"tokenizer.ggml.tokens": []string{"a", "b", "ab"}, "tokenizer.ggml.merges": []string{"a b"}}
	spm := map[string]any{"tokenizer.ggml.model": "llama", "tokenizer.ggml.tokens": []string{"a", "b", "ab"},
		"tokenizer.ggml.scores": []float32{0, 0, -1}}
	for _, base := range []map[string]any{bpe, spm} {
		fromGGUF(t, base)
	}
	for _, c := range []struct {
		base map[string]any
		key  string // after "tokenizer.ggml."
		val  any
		want string
	}{
		{bpe, "model", "t5", `tokenizer.ggml.model "t5" is not supported`},
		{bpe, "model", 5, "tokenizer.ggml.model: want a string, not int"},
		{bpe, "pre", "odd", `tokenizer.ggml.pre "odd" is not supported`},
		{bpe, "tokens", nil, "tokenizer.ggml.tokens"},
		{bpe, "tokens", []string{}, "tokenizer.ggml.tokens: want the vocabulary"},
		{bpe, "tokens", "abc", "want an array, not string"},
		{bpe, "tokens", []any{"a", 5, "ab"}, "entry 1"},
		{bpe, "tokens", []any{"a", nil, "ab"}, "entry 1"},
		{bpe, "merges", nil, "tokenizer.ggml.merges: want the merges"},
		{bpe, "merges", []string{"ab"}, `two pieces in entry 0, not "ab"`},
		{bpe, "merges", []string{"a c"}, `"c", which is no token`},
		{bpe, "token_type", []int32{1}, "want 3 entries, one a token, not 1"},
		{bpe, "token_type", []int32{1, 9, 1}, "entry 1"},
		{bpe, "token_type", []int32{1, 6, 1}, `<0xNN> as the byte token 1, not "b"`},
		{bpe, "bos_token_id", uint32(3), "an id in [0, 3), not 3"},
		{bpe, "add_bos_token", "yes", "want a bool, not string"},
		{spm, "scores", nil, "tokenizer.ggml.scores: want 3 entries"},
		{spm, "scores", []float32{0, float32(nan()), 0}, "entry 1"},
	} {
		meta := maps.Clone(c.base)
		key := "tokenizer.ggml." + c.key
		if meta[key] = c.val; c.val == nil {
			delete(meta, key)
		}
		tok, err := FromGGUF(meta)
		var u *UnsupportedError
		var f *FormatError
		if tok != nil || err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), "GGUF") {
			t.Errorf("%s = %v: got %v, want an error with %q", c.key, c.val, err, c.want)
		} else if !errors.As(err, &u) && !errors.As(err, &f) {
			t.Errorf("%s = %v: %T is neither of the package's errors", c.key, c.val, err)
		}
	}
}

func nan() float64 { zero := 0.0; return zero / zero }

// TestGGUFFlags: BOS as the flags say, or as the kind of vocabulary does.
func TestGGUFFlags(t *testing.T) {
	spm := asGGUF(t, filepath.Join("testdata", "spm"), "")
	spm["tokenizer.ggml.bos_token_id"] = uint32(1)
	llama3 := asGGUF(t, filepath.Join("testdata", "bytelevel"), "llama-bpe")
	qwen := asGGUF(t, filepath.Join("testdata", "bytelevel"), "qwen2")
	for _, meta := range []map[string]any{llama3, qwen} {
		meta["tokenizer.ggml.bos_token_id"], meta["tokenizer.ggml.eos_token_id"] = uint32(0), uint32(1)
	}
	with := func(meta map[string]any, add bool) map[string]any {
		meta = maps.Clone(meta)
		meta["tokenizer.ggml.add_bos_token"] = add
		return meta
	}
	for i, c := range []struct {
		meta map[string]any
		want bool
	}{{spm, true}, {llama3, true}, {qwen, false}, {with(spm, false), false}, {with(llama3, false), false}, {with(qwen, true), true}} {
		tok := fromGGUF(t, c.meta)
		for _, text := range []string{"hi", tok.Piece(tok.BOS) + "hi"} {
			ids := tok.Prompt(text)
			want := 0
			if c.want || text != "hi" {
				want = 1
			}
			n := 0
			for _, id := range ids {
				if id == tok.BOS {
					n++
				}
			}
			if n != want || n == 1 && ids[0] != tok.BOS {
				t.Errorf("case %d: prompt %q is %v with BOS %d, want %d of it", i, text, ids, tok.BOS, want)
			}
		}
	}
}

// TestPaddedTail: unused ids at the end are no ids.
func TestPaddedTail(t *testing.T) {
	meta := asGGUF(t, filepath.Join("testdata", "bytelevel"), "qwen2")
	tok := fromGGUF(t, meta)
	padded := maps.Clone(meta)
	padded["tokenizer.ggml.tokens"] = append(meta["tokenizer.ggml.tokens"].([]string), "[PAD1]", "[PAD2]")
	padded["tokenizer.ggml.token_type"] = append(meta["tokenizer.ggml.token_type"].([]int32), ggufUnused, ggufUnused)
	other := fromGGUF(t, padded)
	if other.Vocab() != tok.Vocab() {
		t.Errorf("%d ids with padding, want %d", other.Vocab(), tok.Vocab())
	}
	if err := Same(tok, other); err != nil {
		t.Errorf("a padded tail: %v", err)
	}
}
