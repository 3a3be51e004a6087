package draft

import (
	"fmt"

	"foretoken/model"
)

// newLayerSkip drafts with the target's own first layers under its final norm
// and head, so that self-speculation needs no second model (Elhoushi et al. 2024).
func newLayerSkip(env Env) (Drafter, error) {
	skipper, ok := env.Target.(model.LayerSkipper)
	if !ok {
		return nil, fmt.Errorf("draft: layerskip: %s cannot stop after its first layers", env.Target.Info().Name)
	}
	if n := env.Target.Info().Layers; env.Layers < 1 || env.Layers >= n {
		return nil, fmt.Errorf("draft: layerskip: %d layers of %d, want 1 to %d", env.Layers, n, n-1)
	}
	m, err := skipper.FirstLayers(env.Layers)
	if err != nil {
		return nil, fmt.Errorf("draft: layerskip: %w", err)
	}
	return newSecond(m, env)
}
