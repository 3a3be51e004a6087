//go:build judge

package ref_test

import (
	"encoding/json"
	"errors"
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"foretoken/model/checkpoint"
)

// configs is a folder that scripts/golden_models.py made: see make judge-models.
var configs = flag.String("configs", "", "folder of models that transformers was asked about")

// tally counts what became of the cases.
type tally struct{ computed, refused, unjudged int }

// TestConfigFolder holds every model of the folder to transformers: its logits, or a
// refusal that names a key that is odd. Nothing is off in silence.
func TestConfigFolder(t *testing.T) {
	names, err := filepath.Glob(filepath.Join(*configs, "*", "case.json"))
	if err != nil || len(names) < 20 {
		t.Fatalf("%d cases in %s (%v), want 20 and more", len(names), *configs, err)
	}
	folders, files := map[string]*tally{}, tally{}
	worst := 0.0
	for _, name := range names {
		c := readCase(t, name)
		dir := filepath.Dir(name)
		if folders[c.What] == nil {
			folders[c.What] = &tally{}
		}
		worst = max(worst, c.judge(t, dir, dir, c.Odd, folders[c.What]))
		if c.GGUF != nil {
			worst = max(worst, c.judge(t, dir, filepath.Join(dir, "model.gguf"), c.GGUF, &files))
		}
	}
	var all tally
	for what, f := range folders {
		t.Logf("%s: %d computed, %d refused by name, %d that transformers refuses", what, f.computed, f.refused, f.unjudged)
		all.computed += f.computed
	}
	t.Logf("GGUF: %d computed, %d refused by name; largest difference of a logit %.2g", files.computed, files.refused, worst)
	if 2*all.computed < len(names) {
		t.Errorf("%d of %d are computed, want half and more", all.computed, len(names))
	}
}

func readCase(t *testing.T, path string) (c configCase) {
	t.Helper()
	b, err := os.ReadFile(path)
	if err == nil {
		err = json.Unmarshal(b, &c)
	}
	if err != nil {
		t.Fatal(path, err)
	}
	return c
}

// judge opens a model and holds it to the case. odd are the keys that a refusal may name.
func (c configCase) judge(t *testing.T, name, path string, odd []string, n *tally) float64 {
	t.Helper()
	ck, err := checkpoint.Open(path)
	var e *checkpoint.Error
	switch {
	case err == nil:
	case len(c.Logits) == 0:
		n.unjudged++
		return 0
	case errors.As(err, &e) && slices.ContainsFunc(odd, func(key string) bool { return strings.Contains(e.Item, key) }):
		n.refused++
		return 0
	default:
		t.Errorf("%s (%s): %v, want it computed, or refused by one of %q", path, c.What, err, odd)
		return 0
	}
	defer ck.Close()
	if len(c.Logits) == 0 {
		t.Logf("%s (%s): computed, and transformers refuses it: %s", path, c.What, c.Error)
		n.unjudged++
		return 0
	}
	n.computed++
	d, err := c.differ(ck)
	if err != nil || !(d <= off) {
		t.Errorf("%s (%s): logits differ by %.3g (%v), want at most %g", path, c.What, d, err, off)
	}
	return d
}
