//go:build mlx

package llama_test

import (
	"strings"
	"testing"

	"foretoken/mlx/llama"
	"foretoken/model/checkpoint"
)

// A model whose angles change with the length of the text is refused by name.
func TestChangingRopeRefused(t *testing.T) {
	ck := write(t, small("llama", func(c *checkpoint.Config) {}), checkpoint.F32)
	ck.Config.RopeScaling = &checkpoint.RopeScaling{Type: "dynamic", Factor: 2, OriginalContext: 32}
	if _, err := llama.New(engine(t), ck, llama.Options{}); err == nil || !strings.Contains(err.Error(), "dynamic rope") {
		t.Errorf("%v, want the rope named", err)
	}
}
