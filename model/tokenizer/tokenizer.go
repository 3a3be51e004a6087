// Package tokenizer turns text into ids and back. It reads what checkpoints carry
// beside their weights: a Hugging Face tokenizer.json (Open) or the vocabulary in a
// GGUF (FromGGUF), of the BPE kind: byte-level (GPT-2, Llama 3, Qwen, SmolLM) and
// SentencePiece-style (Llama 2, Gemma). Ids are those of the program the file was
// written for: Python's tokenizers for tokenizer.json, llama.cpp for GGUF.
//
// Text that is not UTF-8 is read as if every maximal invalid part were U+FFFD, as
// Python's errors="replace" does.
package tokenizer

import (
	"slices"
	"strings"

	"foretoken/model"
)

// None is the id of a token that a vocabulary lacks.
const None model.Token = -1

// A Tokenizer is safe for concurrent use.
type Tokenizer struct {
	// BOS, EOS and PAD are None where the files name none. PAD is never fed.
	BOS, EOS, PAD model.Token
	// Template is the chat template's Jinja text, and ToolTemplate the one for
	// conversations with tools, where the files have one apart; "" is none.
	Template, ToolTemplate string

	prefix []model.Token // a prompt begins with these
	raw    []string      // by id, as the file writes it; "" with absent is a hole
	text   []string      // by id, the bytes it decodes to after the first token
	kind   []kind        // by id

	added  *addedTokens // matched in the text as it came
	normed *addedTokens // matched in the normalised text
	norm   normalizer
	pre    []preTokenizer
	bpe    *bpe
	dec    decoder
}

// A kind says how a token is decoded.
type kind uint8

const (
	absent   kind = 1 << iota // no token has this id
	special                   // control: left out of text
	fallback                  // one byte of a run, written <0xNN>
)

// Vocab is the number of ids: one more than the largest.
func (t *Tokenizer) Vocab() int { return len(t.raw) }

// Special reports whether id is a control token, which ordinary text never has.
func (t *Tokenizer) Special(id model.Token) bool { return t.is(id, special) }

// Piece is the token's string as the vocabulary writes it, "" for no token.
func (t *Tokenizer) Piece(id model.Token) string {
	if !t.has(id) {
		return ""
	}
	return t.raw[id]
}

// ID is the token whose piece is s.
func (t *Tokenizer) ID(s string) (model.Token, bool) {
	if id, ok := t.added.byText[s]; ok {
		return id, true
	}
	id, ok := t.bpe.vocab[s]
	if !ok || !t.has(id) {
		return None, false
	}
	return id, true
}

// Bytes is what id adds to a text it does not begin: part of a code point, maybe.
// It is nil for an id that is no token.
func (t *Tokenizer) Bytes(id model.Token) []byte {
	if !t.has(id) {
		return nil
	}
	return []byte(t.text[id])
}

// Encode gives the ids of text, without BOS. If special is false the strings of
// control tokens in text are text; user input should be encoded so.
func (t *Tokenizer) Encode(text string, special bool) []model.Token {
	var out []model.Token
	text = lossy(text)
	t.added.split(text, special, func(part string, at int, id model.Token) {
		if id != None {
			out = append(out, id)
			return
		}
		out = t.encodePart(out, part, at, special)
	})
	return out
}

// encodePart encodes what lies between two added tokens; at is its offset.
func (t *Tokenizer) encodePart(out []model.Token, part string, at int, special bool) []model.Token {
	t.normed.split(t.norm.normalize(part), special, func(part string, from int, id model.Token) {
		if id != None {
			out = append(out, id)
			return
		}
		pieces := []piece{{text: part, first: at == 0 && from == 0}}
		for _, p := range t.pre {
			pieces = p.split(pieces)
		}
		for _, p := range pieces {
			out = t.bpe.encode(out, p.text)
		}
	})
	return out
}

// Prompt gives the ids a model is fed: those of text, control tokens parsed, after the BOS or
// other tokens that the files ask for, where text does not begin with them.
func (t *Tokenizer) Prompt(text string) []model.Token {
	ids := t.Encode(text, true)
	if n := len(t.prefix); len(ids) >= n && slices.Equal(ids[:n], t.prefix) {
		return ids
	}
	return slices.Concat(t.prefix, ids)
}

// Decode gives the text of ids. Ids that are no tokens, and with skipSpecial the
// control tokens, add nothing. The result is UTF-8, with U+FFFD where the bytes
// were not.
func (t *Tokenizer) Decode(ids []model.Token, skipSpecial bool) string {
	s := t.stream(skipSpecial)
	var b strings.Builder
	for _, id := range ids {
		b.WriteString(s.Push(id))
	}
	b.WriteString(s.Flush())
	return b.String()
}

func (t *Tokenizer) has(id model.Token) bool {
	return id >= 0 && int(id) < len(t.raw) && t.kind[id]&absent == 0
}

func (t *Tokenizer) is(id model.Token, k kind) bool {
	return id >= 0 && int(id) < len(t.kind) && t.kind[id]&k != 0
}
