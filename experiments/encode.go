package experiments

import (
	"fmt"

	"foretoken/model"
)

// encode turns prompts into ids, and refuses those that the target cannot hold, and
// those of which an arm's constraint cannot go on.
func (r *runner) encode() error {
	info, most := r.target.Model.Info(), r.target.mostBytes()
	for _, p := range r.prompts {
		if n := size(p); most > 0 && n > most {
			return fmt.Errorf("prompt %s: %d bytes, want at most %d, more than %s can hold in its context of %d tokens", p.ID, n, most, r.config.Target, info.Context)
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
			if _, err := a.holder.Engine(ids); err != nil {
				return fmt.Errorf("prompt %s: %w", p.ID, err)
			}
		}
		r.ids = append(r.ids, ids)
	}
	return nil
}

// mostBytes is more than a prompt within the context can have: tokens of the greatest
// length, of a text that its normaliser composed to a quarter. What is longer would
// take minutes to encode, to be refused then.
func (o *Opened) mostBytes() int {
	longest := 0
	for id := range o.Tokenizer.Vocab() {
		longest = max(longest, len(o.Tokenizer.Bytes(model.Token(id))))
	}
	return 4 * longest * o.Model.Info().Context
}

func size(p Prompt) int {
	n := len(p.Prompt)
	for _, m := range p.Messages {
		n += len(m.Content)
	}
	return n
}
