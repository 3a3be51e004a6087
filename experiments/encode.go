package experiments

import (
	"fmt"
	"sync"

	"foretoken/model"
)

// encode turns prompts into ids, and refuses those that the target cannot hold, and
// those of which an arm's constraint cannot go on.
func (r *runner) encode() error {
	info, longest := r.target.Model.Info(), sync.OnceValue(r.target.longestToken)
	for _, p := range r.prompts {
		// No context holds more than tokens of the greatest length, of a text that its
		// normaliser composed to a quarter. To encode it, to be refused then, would take
		// minutes; and few prompts are so long that the greatest length matters.
		if n := size(p); info.Context > 0 && n > 4*info.Context && n > 4*info.Context*longest() {
			return fmt.Errorf("prompt %s: %d bytes, want at most %d, more than %s can hold in its context of %d tokens", p.ID, n, 4*info.Context*longest(), r.config.Target, info.Context)
		}
		var ids []model.Token
		var err error
		switch {
		case p.Raw:
			ids = r.target.Tokenizer.Prompt(p.Prompt)
		case len(p.Messages) > 0:
			ids, err = r.target.Tokenizer.Chat(p.Messages)
		default:
			ids, err = r.target.Tokenizer.Chat([]Message{{Role: "user", Content: p.Prompt}})
		}
		if err != nil {
			return fmt.Errorf("prompt %s: %w", p.ID, err)
		}
		if info.Context > 0 && len(ids) >= info.Context {
			return fmt.Errorf("prompt %s: %d tokens, want fewer than the context of %s, %d", p.ID, len(ids), r.config.Target, info.Context)
		}
		for _, a := range r.arms {
			if _, err := a.constrainer.Engine(ids); err != nil {
				return fmt.Errorf("prompt %s: %w", p.ID, err)
			}
		}
		r.ids = append(r.ids, ids)
	}
	return nil
}

// longestToken is the most bytes that a token adds to a text.
func (o *Opened) longestToken() int {
	longest := 1
	for id := range o.Tokenizer.Vocab() {
		longest = max(longest, len(o.Tokenizer.Bytes(model.Token(id))))
	}
	return longest
}

func size(p Prompt) int {
	n := len(p.Prompt)
	for _, m := range p.Messages {
		n += len(m.Content)
	}
	return n
}
