package tokenizer

import (
	"errors"
	"io/fs"
	"strings"
	"testing"
)

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
