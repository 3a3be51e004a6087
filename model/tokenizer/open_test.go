package tokenizer

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// folder writes files into a new folder.
func folder(t testing.TB, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// document with the given model fields and other parts.
func doc(model, rest string) string {
	return `{"model":{"type":"BPE","vocab":{"a":0,"b":1,"ab":2,"<s>":3},"merges":["a b"]` + model + `}` + rest + `}`
}

func TestOpenRefuses(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"not JSON", `{"model":`, "JSON of a tokenizer"},
		{"a list", `[]`, "JSON of a tokenizer"},
		{"empty", `{}`, `model "" is not supported`},
		{"unigram", `{"model":{"type":"Unigram","vocab":{"a":0}}}`, `model "Unigram" is not supported`},
		{"no vocabulary", `{"model":{"type":"BPE"}}`, "model.vocab: want at least one token"},
		{"id of the wrong type", `{"model":{"type":"BPE","vocab":{"a":"x"},"merges":[]}}`, "model.vocab"},
		{"negative id", `{"model":{"type":"BPE","vocab":{"a":-1},"merges":[]}}`, `id of 0 or more for "a", not -1`},
		{"huge id", `{"model":{"type":"BPE","vocab":{"a":2000000000},"merges":[]}}`, "ids below 2097152"},
		{"two tokens, one id", `{"model":{"type":"BPE","vocab":{"a":0,"b":0},"merges":[]}}`, "one token for id 0"},
		{"no merges", `{"model":{"type":"BPE","vocab":{"a":0}}}`, "model.merges: want the merges"},
		{"merge of three", doc("", "")[:len(doc("", ""))-len(`"a b"]}}`)] + `"a b c"]}}`, "merge of two pieces"},
		{"merge of a stranger", strings.Replace(doc("", ""), "a b", "a z", 1), `"z", which is no token`},
		{"merge to a stranger", strings.Replace(doc("", ""), "a b", "b a", 1), `"ba", which is no token`},
		{"dropout", doc(`,"dropout":0.1`, ""), `"BPE with dropout"`},
		{"unknown unknown", doc(`,"unk_token":"?"`, ""), `model.unk_token`},
		{"normalizer", doc("", `,"normalizer":{"type":"Nmt"}`), `normalizer "Nmt" is not supported`},
		{"normalizer in a sequence", doc("", `,"normalizer":{"type":"Sequence","normalizers":[{"type":"Precompiled"}]}`), `normalizer "Precompiled" is not supported`},
		{"normalizer without a type", doc("", `,"normalizer":{}`), "normalizer: want an object with a type"},
		{"pre-tokenizer", doc("", `,"pre_tokenizer":{"type":"BertPreTokenizer"}`), `pre_tokenizer "BertPreTokenizer" is not supported`},
		{"behavior", doc("", `,"pre_tokenizer":{"type":"Split","pattern":{"String":"a"},"behavior":"Odd"}`), `pre_tokenizer behavior "Odd"`},
		{"pattern", doc("", `,"pre_tokenizer":{"type":"Split","pattern":{"Regex":"("},"behavior":"Isolated"}`), `want a pattern, not "("`},
		{"no pattern", doc("", `,"pre_tokenizer":{"type":"Split","behavior":"Isolated"}`), `want a pattern`},
		{"POSIX class", doc("", `,"pre_tokenizer":{"type":"Split","pattern":{"Regex":"[[:alpha:]]"},"behavior":"Isolated"}`), `[:`},
		{"metaspace scheme", doc("", `,"pre_tokenizer":{"type":"Metaspace","prepend_scheme":"odd"}`), `prepend_scheme "odd"`},
		{"decoder", doc("", `,"decoder":{"type":"CTC"}`), `decoder "CTC" is not supported`},
		{"decoder order", doc("", `,"decoder":{"type":"Sequence","decoders":[{"type":"Fuse"},{"type":"Replace","pattern":{"String":"a"},"content":"b"}]}`), `"Replace after what joins tokens"`},
		{"strip at the end", doc("", `,"decoder":{"type":"Strip","content":" ","start":0,"stop":1}`), `"Strip at the end"`},
		{"post-processor", doc("", `,"post_processor":{"type":"BertProcessing"}`), `post_processor "BertProcessing" is not supported`},
		{"token after the text", doc("", `,"added_tokens":[{"id":3,"content":"<s>","special":true}],"post_processor":{"type":"TemplateProcessing","single":[{"Sequence":{"id":"A"}},{"SpecialToken":{"id":"<s>"}}]}`), `after the text" is not supported`},
		{"template without the text", doc("", `,"added_tokens":[{"id":3,"content":"<s>","special":true}],"post_processor":{"type":"TemplateProcessing","single":[{"SpecialToken":{"id":"<s>"}}]}`), `want the text, the sequence A`},
		{"template's token", doc("", `,"post_processor":{"type":"TemplateProcessing","single":[{"SpecialToken":{"id":"?"}}]}`), `post_processor: want a token, not "?"`},
		{"added token's id", doc("", `,"added_tokens":[{"id":9,"content":"a"}]`), `want id 0 for "a"`},
	} {
		tok, err := Open(folder(t, map[string]string{"tokenizer.json": c.text}))
		var u *UnsupportedError
		var f *FormatError
		if err == nil || tok != nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), "tokenizer.json") {
			t.Errorf("%s: got %v, want an error with %q and the file", c.name, err, c.want)
		} else if !errors.As(err, &u) && !errors.As(err, &f) {
			t.Errorf("%s: %T is neither of the package's errors", c.name, err)
		}
	}
	if _, err := Open(t.TempDir()); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("an empty folder: %v, want fs.ErrNotExist", err)
	}
}

func TestConfigRefuses(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"tokenizer_config.json", `{"bos_token":"?"}`, "bos_token"},
		{"tokenizer_config.json", `{"eos_token":5}`, "want a string or an object"},
		{"tokenizer_config.json", `{"add_bos_token":true}`, "add_bos_token is true"},
		{"tokenizer_config.json", `{"chat_template":5}`, "want a string or a list"},
		{"special_tokens_map.json", `{`, "special_tokens_map.json"},
	} {
		_, err := Open(folder(t, map[string]string{"tokenizer.json": doc("", ""), c.name: c.text}))
		var f *FormatError
		if !errors.As(err, &f) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s %s: got %v, want an error with %q", c.name, c.text, err, c.want)
		}
	}
}

// TestBOS: at the prompt alone, as configured, and never twice.
func TestBOS(t *testing.T) {
	template := `,"post_processor":{"type":"TemplateProcessing","single":[{"SpecialToken":{"id":"<s>"}},{"Sequence":{"id":"A"}}]}`
	two := `,"added_tokens":[{"id":3,"content":"<s>","special":true},{"id":4,"content":"<x>","special":true}]`
	both := `,"post_processor":{"type":"TemplateProcessing","single":[{"SpecialToken":{"id":"<x>"}},{"SpecialToken":{"id":"<s>"}},{"Sequence":{"id":"A"}}]}`
	byMap := `,"post_processor":{"type":"TemplateProcessing","single":[{"SpecialToken":{"id":"[HEAD]"}},{"Sequence":{"id":"A"}}],"special_tokens":{"[HEAD]":{"id":"[HEAD]","ids":[4,3],"tokens":["<x>","<s>"]}}}`
	added := `,"added_tokens":[{"id":3,"content":"<s>","special":true}]`
	for _, c := range []struct{ rest, config, text, want string }{
		{added, `{}`, "ab", "2"},
		{added, `{"bos_token":"<s>"}`, "ab", "2"},
		{added, `{"bos_token":"<s>","add_bos_token":true}`, "ab", "3,2"},
		{added, `{"bos_token":{"content":"<s>"},"add_bos_token":true}`, "<s>ab", "3,2"},
		{added + template, `{}`, "ab", "3,2"},
		{added + template, `{"bos_token":"<s>"}`, "<s>ab", "3,2"},
		{added + template, `{"bos_token":"<s>","add_bos_token":false}`, "ab", "2"},
		{added + template, `{"bos_token":"<s>"}`, "", "3"},
		{two + both, `{"bos_token":"<s>"}`, "ab", "4,3,2"},
		{two + both, `{"bos_token":"<s>"}`, "<x><s>ab", "4,3,2"},
		{two + both, `{}`, "ab", "4,3,2"},
		{two + both, `{"bos_token":"<s>","add_bos_token":false}`, "ab", "4,2"},
		{two + byMap, `{"bos_token":"<s>"}`, "ab", "4,3,2"},
	} {
		tok, err := Open(folder(t, map[string]string{"tokenizer.json": doc("", c.rest), "tokenizer_config.json": c.config}))
		if err != nil {
			t.Fatal(err)
		}
		if got := line(tok.Prompt(c.text)); got != c.want {
			t.Errorf("%s, %s: prompt %q is %s, want %s", c.rest, c.config, c.text, got, c.want)
		}
		if got := line(tok.Encode("ab", true)); got != "2" {
			t.Errorf("%s, %s: Encode gives %s, want 2", c.rest, c.config, got)
		}
	}
}

func TestTemplateFiles(t *testing.T) {
	for _, c := range []struct{ config, file, want string }{
		{`{"chat_template":"one"}`, "", "one"},
		{`{"chat_template":[{"name":"tool_use","template":"t"},{"name":"default","template":"d"}]}`, "", "d"},
		{`{"chat_template":"one"}`, "two", "two"},
	} {
		files := map[string]string{"tokenizer.json": doc("", ""), "tokenizer_config.json": c.config}
		if c.file != "" {
			files["chat_template.jinja"] = c.file
		}
		tok, err := Open(folder(t, files))
		if err != nil {
			t.Fatal(err)
		}
		if tok.Template != c.want {
			t.Errorf("%s with file %q: template %q, want %q", c.config, c.file, tok.Template, c.want)
		}
	}
}

func TestSame(t *testing.T) {
	load := func(text string) *Tokenizer {
		tok, err := Open(folder(t, map[string]string{"tokenizer.json": text}))
		if err != nil {
			t.Fatal(err)
		}
		return tok
	}
	a := load(doc("", ""))
	for _, same := range []string{doc("", ""), doc("", `,"decoder":{"type":"Fuse"}`)} {
		if err := Same(a, load(same)); err != nil {
			t.Errorf("the same vocabulary: %v", err)
		}
	}
	for _, c := range []struct {
		text string
		id   int
	}{
		{strings.Replace(doc("", ""), `"<s>":3`, `"<t>":3`, 1), 3},
		{strings.Replace(doc("", ""), `"<s>":3`, `"<s>":4`, 1), 3},
		{strings.Replace(doc("", ""), `,"<s>":3`, ``, 1), 3},
		{strings.Replace(doc("", ""), `"a":0,"b":1`, `"a":1,"b":0`, 1), 0},
	} {
		for _, err := range []error{Same(a, load(c.text)), Same(load(c.text), a)} {
			var d *DifferentError
			if !errors.As(err, &d) || int(d.ID) != c.id {
				t.Errorf("%s: %v, want a difference at id %d", c.text, err, c.id)
			}
		}
	}
}

func TestInvalidUTF8(t *testing.T) {
	for in, want := range map[string]string{
		"a\xffb": "a\ufffdb", "\xf0\x9f\x98": "\ufffd", "\xed\xa0\x80": "\ufffd\ufffd\ufffd", "\xc3(": "\ufffd(",
		"\xf4\x90\x80\x80": "\ufffd\ufffd\ufffd\ufffd", "\xe2\x82\xe2\x82\xac": "\ufffd€", "\xc0\xaf": "\ufffd\ufffd", "\ufffd": "\ufffd",
	} {
		if got := lossy(in); got != want {
			t.Errorf("%q reads as %q, want %q", in, got, want)
		}
		tok := openSmall(t, "bytelevel")
		if got, want := line(tok.Encode(in, true)), line(tok.Encode(want, true)); got != want {
			t.Errorf("%q encodes to %s, want %s", in, got, want)
		}
	}
}

// TestLongWord: a word of 100 KB takes no quadratic time.
func TestLongWord(t *testing.T) {
	tok := openSmall(t, "bytelevel")
	start := time.Now()
	for _, s := range []string{"a", "ab", " ", "\n", "the", "é", "e\u0301", "'", "\u0301"} {
		text := strings.Repeat(s, 100<<10/len(s))
		ids := tok.Encode(text, true)
		if len(ids) == 0 || len(ids) > len(text) {
			t.Errorf("%d ids for %d bytes of %q", len(ids), len(text), s)
		}
	}
	if d := time.Since(start); d > 10*time.Second {
		t.Errorf("took %v", d)
	}
}
