package tokenizer

import (
	"encoding/json"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"foretoken/model"
)

// asGGUF writes the tokenizer.json of a folder as a GGUF's metadata, as
// golden_tokenizer.py does for llama.cpp.
func asGGUF(t testing.TB, dir, pre string) map[string]any {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(dir, "tokenizer.json"))
	if err != nil {
		t.Fatal(err)
	}
	var d document
	if err := json.Unmarshal(data, &d); err != nil {
		t.Fatal(err)
	}
	size := model.Token(0)
	for _, id := range d.Model.Vocab {
		size = max(size, id+1)
	}
	for _, a := range d.Added {
		size = max(size, a.ID+1)
	}
	tokens, types, scores := make([]string, size), make([]int32, size), make([]float32, size)
	for s, id := range d.Model.Vocab {
		if s == "<no byte>" { // llama.cpp needs all bytes
			s = "<0xE4>"
		}
		tokens[id], types[id] = s, ggufNormal
		if _, ok := hexByte(s); ok && pre == "" {
			types[id] = ggufByte
		}
	}
	for _, a := range d.Added {
		tokens[a.ID], types[a.ID] = a.Content, ggufUserDefined
		if a.Special || strings.HasPrefix(a.Content, "<|") {
			types[a.ID] = ggufControl
		}
		if a.Content == "<unk>" {
			types[a.ID] = ggufUnknown
		}
	}
	for i := range scores {
		scores[i] = -float32(i)
	}
	var merges []string
	for _, m := range d.Model.Merges {
		merges = append(merges, m[0]+" "+m[1])
	}
	meta := map[string]any{"tokenizer.ggml.tokens": tokens, "tokenizer.ggml.token_type": types}
	if pre == "" {
		meta["tokenizer.ggml.model"], meta["tokenizer.ggml.scores"] = "llama", scores
	} else {
		meta["tokenizer.ggml.model"], meta["tokenizer.ggml.pre"], meta["tokenizer.ggml.merges"] = "gpt2", pre, merges
	}
	return meta
}

func fromGGUF(t testing.TB, meta map[string]any) *Tokenizer {
	t.Helper()
	tok, err := FromGGUF(meta)
	if err != nil {
		t.Fatal(err)
	}
	return tok
}

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

// TestSmallGGUF compares with llama.cpp.
func TestSmallGGUF(t *testing.T) {
	for name, pre := range map[string]string{"spm": "", "bytelevel": "llama-bpe"} {
		t.Run(name, func(t *testing.T) {
			tok := fromGGUF(t, asGGUF(t, filepath.Join("testdata", name), pre))
			compare(t, tok, "gguf-"+name)
			for i := range 200 {
				checkStream(t, tok, sequence(i, tok.Vocab()))
			}
		})
	}
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
