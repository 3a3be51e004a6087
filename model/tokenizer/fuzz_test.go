package tokenizer

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"foretoken/model"
)

// FuzzTokenizerJSON: any bytes are an error or a tokenizer that encodes and decodes.
func FuzzTokenizerJSON(f *testing.F) {
	for _, name := range small {
		data, err := os.ReadFile(filepath.Join("testdata", name, "tokenizer.json"))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	for _, s := range []string{doc("", ""), `{}`, `{"model":{"type":"BPE","vocab":{"a":0,"":1},"merges":[["",""],["a",""]]}}`,
		doc(`,"unk_token":"a","byte_fallback":true`, `,"added_tokens":[{"id":7,"content":"","normalized":true},{"id":8,"content":"x","lstrip":true,"rstrip":true}]`)} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) > 1<<16 {
			return
		}
		tok, _, err := parse(data)
		if err != nil {
			return
		}
		ids := tok.Encode("Hello  wörld\n a12 x\xff<s>", true)
		for _, id := range ids {
			if !tok.has(id) {
				t.Fatalf("encoded to %d, which is no token", id)
			}
		}
		tok.Decode(ids, false)
		if err := Same(tok, tok); err != nil {
			t.Fatal(err)
		}
	})
}

// FuzzGGUF: any metadata is an error or a tokenizer that encodes and decodes.
func FuzzGGUF(f *testing.F) {
	f.Add(`{"tokenizer.ggml.model":"gpt2","tokenizer.ggml.pre":"smollm","tokenizer.ggml.tokens":["a","b","ab"],"tokenizer.ggml.merges":["a b"]}`)
	f.Add(`{"tokenizer.ggml.model":"llama","tokenizer.ggml.tokens":["<unk>","<0x41>","▁a","a"],"tokenizer.ggml.scores":[0,0,-1,-2.5],"tokenizer.ggml.token_type":[2,6,1,1]}`)
	f.Fuzz(func(t *testing.T, text string) {
		var meta map[string]any
		if json.Unmarshal([]byte(text), &meta) != nil {
			return
		}
		for k, v := range meta { // JSON has no integers
			if list, ok := v.([]any); ok && strings.HasSuffix(k, "type") {
				for i, e := range list {
					if n, ok := e.(float64); ok {
						list[i] = int32(n)
					}
				}
			}
		}
		tok, err := FromGGUF(meta)
		if err != nil {
			return
		}
		tok.Decode(tok.Encode("Hello  wörld\n aA ab x\xff", true), false)
	})
}

// FuzzDecode: a stream of any ids is valid, and what is decoded at once.
func FuzzDecode(f *testing.F) {
	var toks []*Tokenizer
	for _, name := range small {
		toks = append(toks, openSmall(f, name))
	}
	f.Add([]byte{0, 1, 2, 3, 0xC3, 0xA9, 250, 255, 1, 44})
	f.Fuzz(func(t *testing.T, data []byte) {
		var ids []model.Token
		for i := 0; i+1 < len(data); i += 2 {
			ids = append(ids, model.Token(int(data[i])<<1|int(data[i+1])&1)-2)
		}
		for _, tok := range toks {
			checkStream(t, tok, ids)
		}
	})
}

// FuzzEncode: any text without control tokens comes back from a byte-level
// vocabulary, NFC apart.
func FuzzEncode(f *testing.F) {
	tok := openSmall(f, "bytelevel")
	for _, s := range []string{"", "a b", "<one>", "  <mask> ", "\xff\xfe", strings.Repeat("\u0301", 70)} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if strings.Contains(s, "<mask>") || strings.Contains(s, "ﬁ") { // takes spaces; decodes as it stands
			return
		}
		want := tok.norm.normalize(lossy(s))
		if got := tok.Decode(tok.Encode(s, false), false); got != want {
			t.Fatalf("%q comes back as %q", want, got)
		}
	})
}
