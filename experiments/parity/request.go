package parity

import (
	"fmt"

	"foretoken/experiments"
	"foretoken/model"
)

// A Request is a prompt as ids.
type Request struct {
	ID, Domain string
	Prompt     []model.Token
}

// forced are the tokens whose last rows are those that chose text.
func (q Request) forced(text []model.Token) []model.Token {
	return append(append([]model.Token(nil), q.Prompt...), text[:len(text)-1]...)
}

// Encode makes requests of prompts.
func Encode(prompts []experiments.Prompt, tok experiments.Tokenizer) ([]Request, error) {
	var out []Request
	for _, p := range prompts {
		q := Request{ID: p.ID, Domain: p.Domain}
		turns := p.Messages
		if len(turns) == 0 {
			turns = []experiments.Message{{Role: "user", Content: p.Prompt}}
		}
		var err error
		if p.Raw {
			q.Prompt = tok.Prompt(p.Prompt)
		} else if q.Prompt, err = tok.Chat(turns); err != nil {
			return nil, fmt.Errorf("parity: %s: %w", p.ID, err)
		}
		out = append(out, q)
	}
	return out, nil
}
