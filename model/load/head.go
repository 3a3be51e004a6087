package load

import (
	"fmt"

	"foretoken/mlx/llama"
	"foretoken/model"
	"foretoken/model/checkpoint"
	"foretoken/model/ref"
)

// Head opens the folder of a head that was trained for l's model; name is what Open
// would take: see Find. A head for another size or vocabulary is refused.
func (l *Loaded) Head(name string) (model.Head, error) {
	path, err := Find(name)
	if err != nil {
		return nil, err
	}
	h, err := checkpoint.OpenHead(path)
	if err != nil {
		return nil, err
	}
	defer h.Close() // backends copy
	h.Config.Name = title(name, path)
	if last, real := h.Words[len(h.Words)-1], l.Model.Info().Real; int(last) >= real {
		return nil, fmt.Errorf("load: %s: %w: it proposes id %d, want below %d, the words of %s", path, ErrVocabulary, last, real, l.Name)
	}
	x, err := newHead(h, l.Model)
	if err != nil {
		return nil, fmt.Errorf("load: %w", err)
	}
	return x, nil
}

// newHead gives a head to the backend of its target.
func newHead(h *checkpoint.Head, target model.Model) (model.Head, error) {
	if _, ok := target.(*llama.Model); ok {
		return llama.NewHead(h, target)
	}
	return ref.NewHead(h, target)
}
