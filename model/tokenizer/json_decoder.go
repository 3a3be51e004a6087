package tokenizer

import (
	"encoding/json"
	"strings"
	"unicode/utf8"

	"foretoken/model"
)

// A decodeStep rewrites one token; first is set for the token that begins a text.
type decodeStep func(s string, first bool) string

// decoding is a decoder while it is read, step by step.
type decoding struct {
	steps     []decodeStep
	byteLevel bool
	begins    bool // some step asks for first
	fused     bool // what follows sees the whole text as one token
}

// decoder sets up how t decodes, and what each token adds.
func (b *builder) decoder(t *Tokenizer, data json.RawMessage) {
	var d decoding
	if b.kind("decoder", data) == "" {
		d.begins = true // without a decoder tokens are joined by spaces
		d.steps = []decodeStep{func(s string, first bool) string {
			if first {
				return s
			}
			return " " + s
		}}
	}
	b.decodeStep(t, &d, data)
	if b.err != nil {
		return
	}
	apply := func(id model.Token, first bool) string {
		s, ok := b.decoded[id]
		if !ok {
			s = t.raw[id]
		}
		for _, step := range d.steps {
			s = step(s, first)
		}
		if d.byteLevel {
			s = fromByteLevel(s)
		}
		return s
	}
	for i := range t.raw {
		id := model.Token(i)
		if t.kind[id]&absent != 0 {
			continue
		}
		t.text[id] = apply(id, false)
		if c, ok := hexByte(t.text[id]); ok && t.dec.runs {
			t.text[id] = string([]byte{c})
			t.kind[id] |= fallback
		}
	}
	if d.begins {
		t.dec.begin = func(id model.Token) string {
			if t.is(id, fallback) {
				return t.text[id]
			}
			return apply(id, true)
		}
	}
}

func (b *builder) decodeStep(t *Tokenizer, d *decoding, data json.RawMessage) {
	const part = "decoder"
	name := b.kind(part, data)
	c := struct {
		Decoders    []json.RawMessage `json:"decoders"`
		Pattern     pattern           `json:"pattern"`
		Content     string            `json:"content"`
		Start       int               `json:"start"`
		Stop        int               `json:"stop"`
		Mark        string            `json:"replacement"`
		Scheme      string            `json:"prepend_scheme"`
		PrefixSpace *bool             `json:"add_prefix_space"`
	}{Mark: "▁"}
	if name != "" {
		b.read(part, data, &c)
	}
	each := func(f decodeStep) {
		if d.fused || t.dec.runs {
			b.unsupported(part, name+" after what joins tokens")
		}
		d.steps = append(d.steps, f)
	}
	switch name {
	case "":
	case "Sequence":
		for _, s := range c.Decoders {
			b.decodeStep(t, d, s)
		}
	case "Fuse":
		d.fused = true
	case "ByteLevel":
		each(func(s string, _ bool) string { return s })
		d.byteLevel, d.fused = true, true
	case "ByteFallback":
		if d.fused {
			b.unsupported(part, name+" after what joins tokens")
		}
		t.dec.runs = true
	case "Replace":
		replace := b.replace(part, c.Pattern, c.Content)
		each(func(s string, _ bool) string { return replace(s) })
	case "Metaspace":
		m := b.metaspace(part, c.Mark, c.Scheme, c.PrefixSpace, true)
		d.begins = d.begins || m.always || m.first
		each(func(s string, first bool) string {
			if first && (m.always || m.first) {
				return strings.ReplaceAll(s, m.mark, "")
			}
			return strings.ReplaceAll(s, m.mark, " ")
		})
	case "Strip":
		b.strip(t, d, each, c.Content, c.Start, c.Stop)
	default:
		b.unsupported(part, name)
	}
}

// strip cuts a character off the front of every token, or of the text if the
// tokens are joined already. At the end it would hold back what is decoded.
func (b *builder) strip(t *Tokenizer, d *decoding, each func(decodeStep), content string, start, stop int) {
	r, n := utf8.DecodeRuneInString(content)
	if n == 0 || n != len(content) || start < 0 {
		b.fail("decoder", "a Strip of one character, from 0 times at the front", nil)
		return
	}
	if stop != 0 {
		b.unsupported("decoder", "Strip at the end")
		return
	}
	if d.fused && t.dec.strip == 0 {
		t.dec.strip, t.dec.stripped = start, r
		return
	}
	each(func(s string, _ bool) string {
		for range min(start, len(s)) {
			s = strings.TrimPrefix(s, content)
		}
		return s
	})
}
