package checkpoint_test

import (
	"math"
	"path/filepath"
	"testing"

	"foretoken/model/checkpoint"
	"foretoken/model/checkpoint/checkpointtest"
)

// TestRopeScaling reads llama3's and linear scaling from both forms; a GGUF has
// llama3's as a table of factors in float32.
func TestRopeScaling(t *testing.T) {
	for _, s := range []checkpoint.RopeScaling{
		{Type: "llama3", Factor: 8, LowFreqFactor: 1, HighFreqFactor: 4, OriginalContext: 64},
		{Type: "linear", Factor: 4, OriginalContext: 128},
	} {
		c := checkpointtest.Small("llama")
		c.HeadDim = 32
		c.RopeScaling = &s
		m := checkpointtest.New(c, 5)
		dir := t.TempDir()
		if err := m.WriteFolder(dir, checkpoint.F32, 1); err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(dir, "m.gguf")
		if err := m.WriteGGUF(path, checkpoint.F32); err != nil {
			t.Fatal(err)
		}
		folder, gguf := open(t, dir), open(t, path)
		if folder.Config.RopeScaling == nil || folder.Config.RopeScaling.Type != s.Type {
			t.Errorf("scaling %+v, want %+v", folder.Config.RopeScaling, s)
		}
		a, b := folder.Config.RopeFrequencies(1), gguf.Config.RopeFrequencies(1)
		for i := range a {
			if math.Abs(a[i]-b[i]) > 1e-6*a[i] {
				t.Errorf("%s: frequency %d is %g in the folder, %g in the GGUF", s.Type, i, a[i], b[i])
			}
		}
	}
}

// TestRopeFrequencies has the numbers of mlx-lm 0.32.2's Llama3RoPE (float32) for
// the config of Llama 3.2 1B.
func TestRopeFrequencies(t *testing.T) {
	c := checkpoint.Config{HeadDim: 64, RopeTheta: 500000, RopeScaling: &checkpoint.RopeScaling{
		Type: "llama3", Factor: 32, LowFreqFactor: 1, HighFreqFactor: 4, OriginalContext: 8192}}
	got := c.RopeFrequencies(1)
	for i, want := range map[int]float64{
		0: 1, 1: 0.6636012535996849, 13: 0.004839421316389648, 14: 0.003211446108263015, 15: 0.0012905478085578192,
		16: 0.0004295566882689495, 17: 9.708285917742566e-05, 18: 1.9461637880800964e-05, 31: 9.418306550808938e-08,
	} {
		if math.Abs(got[i]-want) > 1e-6*want {
			t.Errorf("frequency %d is %g, want %g", i, got[i], want)
		}
	}
}
