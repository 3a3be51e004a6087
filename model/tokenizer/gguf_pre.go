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
