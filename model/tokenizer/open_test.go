package tokenizer

import (
	"errors"
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
