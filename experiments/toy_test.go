package experiments

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"foretoken/model"
	"foretoken/model/modeltest"
	"foretoken/results"
	"foretoken/spec"
)

// toys are models over bytes below 128.
func toys(ref string) (*Opened, error) {
	o := &Opened{Name: ref, Tokenizer: letters{size: 128}, Ends: []results.End{{ID: 0, Text: "\x00"}}}
	switch ref {
	case "toy":
		hash := modeltest.Hash{Vocab: 130, Real: 128}
		o.Model = hash
		o.Head = func(ref string) (model.Head, error) {
			if ref != "crown" {
				return nil, errors.New("no such head")
			}
			return modeltest.Head{Of: hash, Noise: 1}, nil
		}
	case "cousin":
		o.Model = modeltest.Hash{Vocab: 128, Real: 128, Salt: 7}
	case "stranger":
		o.Model, o.Tokenizer = modeltest.Hash{Vocab: 128, Real: 128}, letters{size: 128, odd: 65}
	default:
		return nil, errors.New("no toy " + ref)
	}
	return o, nil
}

// letters has a token for every byte; one may be written in another way.
type letters struct {
	size int
	odd  model.Token
}

func (l letters) Vocab() int { return l.size }
func (l letters) Piece(id model.Token) string {
	if l.odd != 0 && id == l.odd {
		return "odd"
	}
	return string(rune(id))
}

func (l letters) Prompt(text string) []model.Token {
	var ids []model.Token
	for _, b := range []byte(text) {
		ids = append(ids, model.Token(b%128))
	}
	return ids
}

func (l letters) Chat(messages []Message) ([]model.Token, error) {
	text, err := l.Render(messages, TemplateVariables{})
	return l.Prompt(text), err
}

func (l letters) Render(messages []Message, _ TemplateVariables) (string, error) {
	var b strings.Builder
	for _, m := range messages {
		fmt.Fprintf(&b, "<%s>%s\n", m.Role, m.Content)
	}
	return b.String(), nil
}

func (l letters) Encode(text string, _ bool) []model.Token { return l.Prompt(text) }
func (letters) Bytes(id model.Token) []byte                { return []byte(string(rune(id))) }
func (letters) Special(id model.Token) bool                { return id == 0 }

func (letters) NewStream() spec.TextStream { return letterStream{} }

type letterStream struct{}

func (letterStream) Push(id model.Token) string { return string(rune(id)) }
func (letterStream) Flush() string              { return "" }

// counting is a Progress that tells how many rows came, and calls a function
// after so many.
type counting struct {
	silent
	rows  int
	after int
	do    func()
	notes []string
}

func (c *counting) Note(s string) { c.notes = append(c.notes, s) }

func (c *counting) noted(s string) bool {
	return slices.ContainsFunc(c.notes, func(n string) bool { return strings.Contains(n, s) })
}
