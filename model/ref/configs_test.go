package ref_test

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"foretoken/model"
	"foretoken/model/checkpoint"
	"foretoken/model/ref"
)

// configs is a folder that scripts/golden_models.py made: see make judge-models.
var configs = flag.String("configs", "", "folder of models that transformers was asked about")

// off is the most that a logit may differ from transformers'.
const off = 5e-5

// A configCase is what transformers made of a config: see scripts/golden_models.py.
type configCase struct {
	Family, What string
	Config       json.RawMessage  // of the kept ones
	Tensors      map[string][]int // of the kept ones: their shapes
	IDs          []model.Token
	Rows         int
	Logits       []byte // little-endian float32 [Rows, vocab]; empty where transformers refuses
	Odd          []string
	GGUF         []string // what of the GGUF beside it may be refused; nil: there is none
	Error        string
}

// tally counts what became of the cases.
type tally struct{ computed, refused, unjudged int }

// TestConfigFolder holds every model of the folder to transformers: its logits, or a
// refusal that names a key that is odd. Nothing is off in silence.
func TestConfigFolder(t *testing.T) {
	if *configs == "" {
		t.Log("without -configs: see TestConfigs")
		return
	}
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

// differ is how far logits are from transformers'. The tokens are divided over calls, and
// some forwarded, trimmed and forwarded again.
func (c configCase) differ(ck *checkpoint.Checkpoint) (worst float64, err error) {
	m, err := ref.NewFloat32(ck)
	if err != nil {
		return 0, err
	}
	s, err := m.NewSession()
	if err != nil {
		return 0, err
	}
	defer s.Close()
	row := make([]float32, m.Info().Vocab)
	if len(c.Logits) != 4*c.Rows*len(row) {
		return 0, fmt.Errorf("%d bytes of logits for %d rows of %d", len(c.Logits), c.Rows, len(row))
	}
	first := len(c.IDs) - c.Rows
	for from, i := 0, 0; from < len(c.IDs); i++ {
		to := min(from+1+i*5%7, len(c.IDs))
		if _, err := s.Forward(c.IDs[from:min(to+3, len(c.IDs))], 0); err != nil {
			return 0, err
		}
		if err := s.Trim(from); err != nil {
			return 0, err
		}
		l, err := s.Forward(c.IDs[from:to], to-from)
		if err != nil {
			return 0, err
		}
		for r := range to - from {
			if from+r < first {
				continue
			}
			if err := l.Read(r, row); err != nil {
				return 0, err
			}
			worst = max(worst, apart(row, c.Logits[4*(from+r-first)*len(row):]))
		}
		from = to
	}
	return worst, nil
}

func apart(row []float32, want []byte) (worst float64) {
	for i, x := range row {
		w := math.Float32frombits(binary.LittleEndian.Uint32(want[4*i:]))
		worst = max(worst, math.Abs(float64(x)-float64(w)))
	}
	return worst
}
