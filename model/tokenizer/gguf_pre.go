package tokenizer

import "fmt"

// The ways to cut text into words, by the name that a GGUF has for them. They are
// the patterns of the models' own tokenizers.
const (
	cutGPT2   = `'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+`
	cutDigit  = `\p{N}`
	cutLlama3 = `(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+`
	cutQwen2  = `(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+`
)

// The cuts of llama.cpp's default, Mistral's Tekken and DeepSeek's first models, as llama.cpp
// has them: where its matcher reads U+3000 as a space and nothing else, so does ours.
const (
	cutPunctuation = `[\p{P}\$\+<=>\^~\|]+`
	cutOpenGPT2    = `'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)`
	cutNumber      = `\p{N}+`
	cutThree       = `[0-9][0-9][0-9]`
	cutLine        = `[\r\n]`
	cutCJK         = `[\u4e00-\u9fa5\u0800-\u4e00\uac00-\ud7ff]+`
	cutTekken      = `[^\r\n\p{L}\p{N}]?((?=[\p{L}])([^a-z]))*((?=[\p{L}])([^A-Z]))+|[^\r\n\p{L}\p{N}]?((?=[\p{L}])([^a-z]))+((?=[\p{L}])([^A-Z]))*|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+`
	cutDeepLetters = `\s?[A-Za-z\u00b5\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u01ba\u01bc-\u01bf\u01c4-\u0293\u0295-\u02af\u0370-\u0373\u0376\u0377\u037b-\u037d\u037f\u0386\u0388-\u038a\u038c\u038e-\u03a1\u03a3-\u03f5\u03f7-\u0481\u048a-\u052f\u0531-\u0556\u10a0-\u10c5\u13a0-\u13f5\u13f8-\u13fd\u1c90-\u1cba\u1cbd-\u1cbf\u1d00-\u1d2b\u1d6b-\u1d77\u1d79-\u1d9a\u1e00-\u1f15\u1f18-\u1f1d\u1f20-\u1f45\u1f48-\u1f4d\u1f50-\u1f57\u1f59\u1f5b\u1f5d\u1f5f-\u1f7d\u1f80-\u1fb4\u1fb6-\u1fbc\u1fbe\u1fc2-\u1fc4\u1fc6-\u1fcc\u1fd0-\u1fd3\u1fd6-\u1fdb\u1fe0-\u1fec\u1ff2-\u1ff4\u1ff6-\u1ffc\u2102\u2107\u210a-\u2113\u2115\u2119-\u211d\u2124\u2126\u2128\u212a-\u212d\u212f-\u2134\u2139\u213c-\u213f\u2145-\u2149\u214e\u2183\u2184\u2c00-\u2c7b\u2c7e-\u2ce4\u2ceb-\u2cee\u2cf2\u2cf3\ua640-\ua66d\ua680-\ua69b\ua722-\ua76f\ua771-\ua787\ua78b-\ua78e\uab70-\uabbf\ufb00-\ufb06\ufb13-\ufb17\uff21-\uff3a\uff41-\uff5a𐐀-𐑏𐒰-𐓓𐓘-𐓻𐲀-𐲲𐳀-𐳲𑢠-𑣟𞤀-𞥃]+`
	cutDeepMarks   = `\s?[!-/:-~\uff01-\uff0f\uff1a-\uff5e\u2018-\u201f\u3001\u3002]+`
	cutEndSpace    = `\s+\z`
)

// A pretype is what llama.cpp derives from tokenizer.ggml.pre.
type pretype struct {
	cuts         []string
	ignoreMerges bool
	bos          bool // BOS is added unless add_bos_token says otherwise
}

var ggufPre = func() map[string]pretype {
	m := map[string]pretype{}
	add := func(p pretype, names ...string) {
		for _, n := range names {
			m[n] = p
		}
	}
	add(pretype{cuts: []string{cutGPT2}}, "gpt-2", "phi-2", "gpt2", "gigachat", "roberta-bpe", "mpt", "olmo", "jais", "trillion", "granite-docling")
	add(pretype{cuts: []string{cutDigit, cutGPT2}}, "smollm", "starcoder", "refact", "command-r", "codeshell", "exaone", "minerva-7b")
	add(pretype{cuts: []string{cutLlama3}, ignoreMerges: true, bos: true}, "llama3", "llama-v3", "llama-bpe", "falcon3", "falcon-h1", "pixtral", "midm-2.0", "lfm2")
	add(pretype{cuts: []string{cutLlama3}}, "dbrx", "smaug-bpe")
	add(pretype{cuts: []string{cutQwen2}}, "qwen2", "deepseek-r1-qwen", "megrez", "stablelm2", "hunyuan", "kormo")
	// A file without a name for its cut, or with one of these, has llama.cpp's default.
	add(pretype{cuts: []string{cutPunctuation, cutOpenGPT2, cutNumber, cutThree}}, "", "default", "none")
	add(pretype{cuts: []string{cutTekken}, ignoreMerges: true, bos: true}, "tekken")
	add(pretype{cuts: []string{cutLine, cutDeepLetters, cutDeepMarks, cutEndSpace, cutCJK, cutNumber}}, "deepseek-llm")
	add(pretype{cuts: []string{cutLine, `\s?\p{L}+`, `\s?\p{P}+`, cutCJK, cutDigit}}, "deepseek-coder")
	return m
}()

// mustSplit isolates the matches of one of the patterns above.
func mustSplit(pattern string) *splitter {
	re, err := compile(pattern)
	if err != nil {
		panic(fmt.Sprintf("tokenizer: pattern %q: %v", pattern, err))
	}
	return &splitter{spans: matching(re), behavior: isolated}
}
