package tokenizer

import (
	"encoding/json"
	"fmt"

	"foretoken/model"
)

// postProcessor returns the tokens that a text begins with.
func (b *builder) postProcessor(data json.RawMessage, t *Tokenizer) []model.Token {
	const part = "post_processor"
	switch name := b.kind(part, data); name {
	case "", "ByteLevel": // the latter moves offsets only
	case "Sequence":
		var c struct {
			Processors []json.RawMessage `json:"processors"`
		}
		b.read(part, data, &c)
		var out []model.Token
		for _, p := range c.Processors {
			ids := b.postProcessor(p, t)
			if len(ids) > 0 && len(out) > 0 {
				b.unsupported(part, "a Sequence of two templates")
			}
			out = append(out, ids...)
		}
		return out
	case "TemplateProcessing":
		return b.template(part, data, t)
	default:
		b.unsupported(part, name)
	}
	return nil
}

// A templatePiece is a token, or the text, which is called A.
type templatePiece struct {
	SpecialToken *struct {
		ID string `json:"id"`
	}
	Sequence *struct {
		ID string `json:"id"`
	}
}

// template reads what stands before the text. Tokens after it, or a text that is there twice
// or not at all, are refused: they would end or change every prompt.
func (b *builder) template(part string, data json.RawMessage, t *Tokenizer) []model.Token {
	var c struct {
		Single  []templatePiece `json:"single"`
		Special map[string]struct {
			IDs []model.Token `json:"ids"`
		} `json:"special_tokens"`
	}
	b.read(part, data, &c)
	var out []model.Token
	text := 0
	for _, p := range c.Single {
		switch {
		case b.err != nil:
			return nil
		case p.Sequence != nil && p.Sequence.ID == "A" && text == 0:
			text++
		case p.Sequence != nil:
			b.unsupported(part, fmt.Sprintf("TemplateProcessing with the sequence %q after another", p.Sequence.ID))
		case p.SpecialToken == nil:
			b.fail(part, "a SpecialToken or a Sequence in each piece", nil)
		case text > 0:
			b.unsupported(part, fmt.Sprintf("TemplateProcessing with %q after the text", p.SpecialToken.ID))
		default:
			ids := c.Special[p.SpecialToken.ID].IDs
			if len(ids) == 0 {
				id, ok := t.ID(p.SpecialToken.ID)
				if !ok {
					b.fail(part, fmt.Sprintf("a token, not %q", p.SpecialToken.ID), nil)
				}
				ids = []model.Token{id}
			}
			out = append(out, ids...)
		}
	}
	for _, id := range out {
		if b.err == nil && !t.has(id) {
			b.fail(part, fmt.Sprintf("ids of the vocabulary, not %d", id), nil)
		}
	}
	if len(c.Single) > 0 && text == 0 && b.err == nil {
		b.fail(part, "the text, the sequence A, in the template", nil)
	}
	return out
}
