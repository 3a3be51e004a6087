package tokenizer

import (
	"fmt"
	"strings"

	"foretoken/model"
)

// The token types of a GGUF's vocabulary.
const (
	ggufNormal = 1 + iota
	ggufUnknown
	ggufControl
	ggufUserDefined
	ggufUnused
	ggufByte
)

// FromGGUF makes a tokenizer of a GGUF's metadata, to encode and decode as
// llama.cpp does.
func FromGGUF(meta map[string]any) (*Tokenizer, error) {
	g := &gguf{meta: meta}
	t := &Tokenizer{BOS: None, EOS: None, PAD: None, Template: g.text("tokenizer.chat_template"), ToolTemplate: g.text("tokenizer.chat_template.tool_use")}
	t.raw = g.strings("tokenizer.ggml.tokens")
	if g.err == nil && len(t.raw) == 0 {
		g.fail("tokenizer.ggml.tokens", "the vocabulary", nil)
	}
	types := g.types(len(t.raw))
	if g.err != nil {
		return nil, g.err
	}
	t.bpe = newBPE(ggufVocab(t.raw))
	t.added, t.normed = newAddedTokens(), newAddedTokens()
	t.kind, t.text = make([]kind, len(t.raw)), make([]string, len(t.raw))
	switch m := g.text("tokenizer.ggml.model"); m {
	case "gpt2":
		g.byteLevel(t)
	case "llama":
		g.sentencePiece(t)
	default:
		if g.err == nil {
			g.err = &UnsupportedError{File: "GGUF", Part: "tokenizer.ggml.model", Name: m}
		}
	}
	if g.err != nil {
		return nil, g.err
	}
	for id, typ := range types {
		g.classify(t, model.Token(id), typ)
	}
	t.BOS, t.EOS = g.id("bos", len(t.raw)), g.id("eos", len(t.raw))
	t.PAD = g.id("padding", len(t.raw))
	if g.flag("tokenizer.ggml.add_bos_token", g.addBOS) && t.BOS != None {
		t.prefix = []model.Token{t.BOS}
	}
	if g.err != nil {
		return nil, g.err
	}
	t.trim(types)
	return t, nil
}

// trim drops the unused ids at the end, which pad the vocabulary to a round size.
func (t *Tokenizer) trim(types []int) {
	n := len(types)
	for n > 0 && types[n-1] == ggufUnused {
		n--
	}
	t.raw, t.text, t.kind = t.raw[:n], t.text[:n], t.kind[:n]
}

// ggufVocab is the inverse of tokens. llama.cpp keeps the last of two equal pieces.
func ggufVocab(tokens []string) map[string]model.Token {
	vocab := make(map[string]model.Token, len(tokens))
	for id, s := range tokens {
		vocab[s] = model.Token(id)
	}
	return vocab
}

// classify says how the token is found in text and what it decodes to.
func (g *gguf) classify(t *Tokenizer, id model.Token, typ int) {
	s := t.raw[id]
	switch typ {
	case ggufNormal:
		return
	case ggufByte:
		b, ok := hexByte(s)
		if !ok {
			g.fail("tokenizer.ggml.tokens", fmt.Sprintf("<0xNN> as the byte token %d, not %q", id, s), nil)
			return
		}
		t.text[id] = string([]byte{b})
		return
	case ggufUnused:
		t.text[id] = ""
		return
	}
	t.text[id] = s
	control := typ == ggufControl || typ == ggufUnknown
	if control {
		t.kind[id] |= special
	}
	t.added.add(addedToken{ID: id, Content: s, Special: control}, s)
}

// byteLevel sets t up for GPT-2's kind of vocabulary.
func (g *gguf) byteLevel(t *Tokenizer) {
	t.bpe.holes = true
	name := g.text("tokenizer.ggml.pre")
	p, ok := ggufPre[name]
	if !ok {
		if g.err == nil {
			g.err = &UnsupportedError{File: "GGUF", Part: "tokenizer.ggml.pre", Name: name}
		}
		return
	}
	g.addBOS, t.bpe.ignoreMerges = p.bos, p.ignoreMerges
	for _, re := range p.cuts {
		t.pre = append(t.pre, mustSplit(re))
	}
	t.pre = append(t.pre, byteLevel{})
	for id, s := range t.raw {
		t.text[id] = fromByteLevel(s)
	}
	if _, ok := g.meta["tokenizer.ggml.merges"]; !ok { // else every text would fall into its bytes, and decode well
		g.fail("tokenizer.ggml.merges", "the merges of the vocabulary", nil)
		return
	}
	for i, m := range g.strings("tokenizer.ggml.merges") {
		at := strings.IndexByte(m[min(1, len(m)):], ' ') // a piece may be one space
		if at < 0 {
			g.fail("tokenizer.ggml.merges", fmt.Sprintf("two pieces in entry %d, not %q", i, m), nil)
			return
		}
		if err := t.bpe.addMerge(i, m[:at+1], m[at+2:]); err != nil {
			g.fail("tokenizer.ggml.merges", "pieces of the vocabulary", err)
			return
		}
	}
}

// sentencePiece sets t up for Llama 2's kind of vocabulary.
func (g *gguf) sentencePiece(t *Tokenizer) {
	const mark = "▁"
	scores := g.floats("tokenizer.ggml.scores", len(t.raw))
	if g.err != nil {
		return
	}
	g.addBOS, t.bpe.byteFallback = true, true
	t.bpe.unk = g.id("unknown", len(t.raw))
	t.bpe.mergeByScore(t.raw, scores)
	t.norm = normalizer{replaceString(" ", mark)}
	if g.flag("tokenizer.ggml.add_space_prefix", true) {
		t.pre = []preTokenizer{prefixed(mark)}
		t.dec.begin = func(id model.Token) string {
			if t.is(id, special) {
				return t.text[id]
			}
			return strings.TrimPrefix(t.text[id], " ")
		}
	}
	for id, s := range t.raw {
		t.text[id] = strings.ReplaceAll(s, mark, " ")
	}
}
