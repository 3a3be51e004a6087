package ref_test

import (
	"encoding/json"
	"math"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"foretoken/model/checkpoint"
	"foretoken/model/checkpoint/checkpointtest"
)

// TestConfigs holds configs of every family to the logits that transformers 5.24 made of
// them: each kind of rope, past its first context, window and default, in the old and the
// new spelling. scripts/golden_models.py --kept makes the file.
func TestConfigs(t *testing.T) {
	b, err := os.ReadFile("testdata/configs.json")
	if err != nil {
		t.Fatal(err)
	}
	var cases []configCase
	if err := json.Unmarshal(b, &cases); err != nil {
		t.Fatal(err)
	}
	if len(cases) < 50 {
		t.Fatalf("%d cases, want 50 and more", len(cases))
	}
	worst := 0.0
	for i, c := range cases {
		ck, err := checkpoint.OpenFS(fstest.MapFS{
			"config.json":       {Data: c.Config},
			"model.safetensors": {Data: c.weights()},
		}, "kept")
		if err != nil {
			t.Errorf("case %d (%s): %v", i, c.What, err)
			continue
		}
		d, err := c.differ(ck)
		ck.Close()
		if err != nil || !(d <= off) {
			t.Errorf("case %d (%s): logits differ by %.3g (%v), want at most %g: %s", i, c.What, d, err, off, c.Config)
		}
		worst = max(worst, d)
	}
	t.Logf("%d configs; largest difference of a logit %.2g", len(cases), worst)
}

// weights are those of the script's by_rule: 16 bits at a time of a generator that begins
// with a name's FNV-1a hash.
func (c configCase) weights() []byte {
	var f checkpointtest.Safetensors
	var names []string
	for name := range c.Tensors {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		shape, n := c.Tensors[name], 1
		for _, s := range shape {
			n *= s
		}
		f.Add(name, "F32", shape, checkpointtest.Encode(checkpoint.F32, byRule(name, n, shape[len(shape)-1])))
	}
	return f.Bytes()
}

func byRule(name string, n, width int) []float32 {
	h := uint32(2166136261)
	for _, b := range []byte(name) {
		h = (h ^ uint32(b)) * 16777619
	}
	mean, spread := 0.0, 4/math.Sqrt(float64(width))
	switch {
	case strings.HasSuffix(name, "norm.weight"):
		mean, spread = 1, .4
	case strings.HasSuffix(name, ".bias"):
		spread = 1
	}
	values := make([]float32, n)
	for i := range values {
		h = h*1664525 + 1013904223
		values[i] = float32(mean + spread*(float64(h>>16)/65536-.5))
	}
	return values
}
