package draft

import (
	"fmt"

	"foretoken/model"
)

// LayerSkip drafts with the target's own first layers under its final norm and
// head, so that self-speculation needs no second model (Elhoushi et al. 2024).
type LayerSkip struct {
	Layers int  `option:"layers" required:"" min:"1" help:"layers of the target that draft, at least 1 and fewer than the target has"`
	Blind  bool `option:"blind" help:"propose as if there were no constraint"`
}

// New implements Factory.
func (f *LayerSkip) New(env Env) (Drafter, error) {
	info := env.Target.Info()
	skipper, ok := model.As[model.LayerSkipper](env.Target)
	if !ok {
		return nil, fmt.Errorf("draft: layerskip: %s cannot stop after its first layers", info.Name)
	}
	if f.Layers < 1 || f.Layers >= info.Layers {
		return nil, fmt.Errorf("draft: layerskip: %d layers of %d, want 1 to %d", f.Layers, info.Layers, info.Layers-1)
	}
	m, err := skipper.FirstLayers(f.Layers)
	if err != nil {
		return nil, fmt.Errorf("draft: layerskip: %w", err)
	}
	return newSecond(m, env, f.Blind)
}
