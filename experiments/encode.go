package experiments

import (
	"fmt"

	"foretoken/model"
)

// encode turns prompts into ids, and refuses those that the target cannot hold, and
// those of which an arm's constraint cannot go on.
func (r *runner) encode() error {
	info := r.target.Model.Info()
	for _, p := range r.prompts {
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
