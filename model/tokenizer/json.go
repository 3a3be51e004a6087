package tokenizer

import (
	"encoding/json"
	"fmt"

	"foretoken/model"
)

// maxVocab bounds ids: a wrong one must not become gigabytes of empty ids.
const maxVocab = 1 << 21

// A document is tokenizer.json.
type document struct {
	Added         []addedToken    `json:"added_tokens"`
	Normalizer    json.RawMessage `json:"normalizer"`
	PreTokenizer  json.RawMessage `json:"pre_tokenizer"`
	PostProcessor json.RawMessage `json:"post_processor"`
	Decoder       json.RawMessage `json:"decoder"`
	Model         struct {
		Type         string                 `json:"type"`
		Vocab        map[string]model.Token `json:"vocab"`
		Merges       mergeList              `json:"merges"`
		Dropout      float64                `json:"dropout"`
		Unk          *string                `json:"unk_token"`
		Prefix       string                 `json:"continuing_subword_prefix"`
		Suffix       string                 `json:"end_of_word_suffix"`
		FuseUnk      bool                   `json:"fuse_unk"`
		ByteFallback bool                   `json:"byte_fallback"`
		IgnoreMerges bool                   `json:"ignore_merges"`
	} `json:"model"`
}

// parse reads tokenizer.json. first are the tokens that its post-processor begins a text with.
func parse(data []byte) (t *Tokenizer, first []model.Token, err error) {
	var d document
	if err := json.Unmarshal(data, &d); err != nil {
		return nil, nil, &FormatError{File: "tokenizer.json", Field: field(err), Want: "the JSON of a tokenizer", Err: err}
	}
	t = &Tokenizer{BOS: None, EOS: None, PAD: None}
	b := builder{file: "tokenizer.json", decoded: map[model.Token]string{}}
	t.bpe = b.model(&d)
	t.norm = b.normalizer(d.Normalizer)
	t.pre = b.preTokenizer(d.PreTokenizer)
	b.pieces(t, &d)
	b.decoder(t, d.Decoder)
	first = b.postProcessor(d.PostProcessor, t)
	if b.err != nil {
		return nil, nil, b.err
	}
	return t, first, nil
}

// A builder makes the parts of a tokenizer and remembers the first error.
type builder struct {
	file    string
	decoded map[model.Token]string // tokens that decode from their normalised form
	err     error
}

func (b *builder) fail(field, want string, err error) {
	if b.err == nil {
		b.err = &FormatError{File: b.file, Field: field, Want: want, Err: err}
	}
}

func (b *builder) unsupported(part, name string) {
	if b.err == nil {
		b.err = &UnsupportedError{File: b.file, Part: part, Name: name}
	}
}

// read reads a component whose type was seen.
func (b *builder) read(part string, data json.RawMessage, to any) {
	if err := json.Unmarshal(data, to); err != nil {
		b.fail(part, "its known fields", err)
	}
}

// kind is a component's type, "" for none.
func (b *builder) kind(part string, data json.RawMessage) string {
	if len(data) == 0 || string(data) == "null" {
		return ""
	}
	var c struct {
		Type *string `json:"type"`
	}
	if err := json.Unmarshal(data, &c); err != nil || c.Type == nil || *c.Type == "" {
		b.fail(part, "an object with a type", err)
		return ""
	}
	return *c.Type
}

func (b *builder) model(d *document) *bpe {
	m := &d.Model
	switch {
	case m.Type != "BPE" && (m.Type != "" || m.Merges == nil):
		b.unsupported("model", m.Type)
	case m.Dropout != 0:
		b.unsupported("model", "BPE with dropout")
	case len(m.Vocab) == 0:
		b.fail("model.vocab", "at least one token", nil)
	case m.Merges == nil:
		b.fail("model.merges", "the merges of the vocabulary, if only an empty list", nil)
	}
	p := newBPE(m.Vocab)
	p.prefix, p.suffix = m.Prefix, m.Suffix
	p.fuseUnk, p.byteFallback, p.ignoreMerges = m.FuseUnk, m.ByteFallback, m.IgnoreMerges
	if m.Unk != nil {
		id, ok := m.Vocab[*m.Unk]
		if !ok {
			b.fail("model.unk_token", fmt.Sprintf("a token of the vocabulary, not %q", *m.Unk), nil)
		}
		p.unk = id
	}
	p.merges = make(map[pair]merge, len(m.Merges))
	for i, pair := range m.Merges {
		if err := p.addMerge(i, pair[0], pair[1]); err != nil {
			b.fail("model.merges", "pieces of the vocabulary", err)
			break
		}
	}
	return p
}

// pieces fills in what is known by id, and the added tokens.
func (b *builder) pieces(t *Tokenizer, d *document) {
	size := model.Token(0)
	for _, id := range d.Model.Vocab {
		size = max(size, id+1)
	}
	for _, a := range d.Added {
		size = max(size, a.ID+1)
	}
	if size > maxVocab {
		b.fail("model.vocab", fmt.Sprintf("ids below %d, not %d", maxVocab, size-1), nil)
		return
	}
	t.raw, t.text, t.kind = make([]string, size), make([]string, size), make([]kind, size)
	for i := range t.kind {
		t.kind[i] = absent
	}
	place := func(field, s string, id model.Token) {
		if id < 0 {
			b.fail(field, fmt.Sprintf("an id of 0 or more for %q, not %d", s, id), nil)
			return
		}
		if t.kind[id]&absent == 0 && t.raw[id] != s {
			b.fail(field, fmt.Sprintf("one token for id %d, not %q and %q", id, t.raw[id], s), nil)
			return
		}
		t.raw[id], t.kind[id] = s, 0
	}
	for s, id := range d.Model.Vocab {
		place("model.vocab", s, id)
	}
	t.added, t.normed = newAddedTokens(), newAddedTokens()
	for _, a := range d.Added {
		if id, ok := d.Model.Vocab[a.Content]; ok && id != a.ID {
			b.fail("added_tokens", fmt.Sprintf("id %d for %q, as in the vocabulary, not %d", id, a.Content, a.ID), nil)
		}
		place("added_tokens", a.Content, a.ID)
		if b.err != nil {
			return
		}
		if a.Special {
			t.kind[a.ID] |= special
		}
		if a.Normalized {
			pattern := t.norm.normalize(a.Content)
			t.normed.add(a, pattern)
			b.decoded[a.ID] = pattern
		} else {
			t.added.add(a, a.Content)
		}
	}
}
