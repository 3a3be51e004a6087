//go:build models

package ref_test

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"foretoken/model"
)

// golden is testdata/smollm2_greedy.json, which scripts/golden_mlx.py writes and
// describes.
type golden struct {
	Model   string // below the folder of models
	Sampled int    // logits a row keeps besides the largest
	Stride  int
	Prompts []goldenPrompt
}

type goldenPrompt struct {
	ID, Domain string
	Prompt     []model.Token
	Greedy     []model.Token
	Top        [][]model.Token // ids of the largest logits of each row
	Logits     []byte          // little-endian float32 [len(Greedy), len(Top[0])+Sampled]

	first int // rows of the prompts before
}

func readGolden(t *testing.T) golden {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", "smollm2_greedy.json"))
	if err != nil {
		t.Fatal(err)
	}
	var g golden
	if err := json.Unmarshal(data, &g); err != nil {
		t.Fatal(err)
	}
	rows := 0
	for i := range g.Prompts {
		p := &g.Prompts[i]
		p.first, rows = rows, rows+len(p.Greedy)
		if want := 4 * len(p.Greedy) * (len(p.Top[0]) + g.Sampled); len(p.Logits) != want {
			t.Fatalf("%s has %d bytes of logits, want %d", p.ID, len(p.Logits), want)
		}
	}
	return g
}

// row returns the ids that are kept of row r of p, the largest first, and mlx-lm's
// logits of them.
func (g golden) row(p goldenPrompt, r, vocab int) (ids []model.Token, logits []float32) {
	ids = slices.Clone(p.Top[r])
	for j := range g.Sampled {
		ids = append(ids, model.Token((g.Sampled*(p.first+r)+j)*g.Stride%vocab))
	}
	for i := range ids {
		bits := binary.LittleEndian.Uint32(p.Logits[4*(r*len(ids)+i):])
		logits = append(logits, math.Float32frombits(bits))
	}
	return ids, logits
}

// A comparison is of one prompt's greedy tokens.
type comparison struct {
	worst   float64   // largest difference of a logit, over all rows
	differs []float64 // by row, teacher-forced on the golden ids
	margins []float64 // by row, of mlx-lm's two largest logits
	at      int       // first token that differs, or -1
	got     model.Token
}

// defect says what is wrong, if something is. A divergence is a near-tie, and no
// defect, where every row stays within the tolerance and the margin is at most
// twice the largest difference of its row.
func (c comparison) defect() error {
	if !(c.worst <= tolerance) {
		return fmt.Errorf("a logit differs by %.2g, want at most %.2g", c.worst, tolerance)
	}
	if c.at >= 0 && c.margins[c.at] > 2*c.differs[c.at] {
		return fmt.Errorf("token %d is %d across a margin of %.2g, with logits that differ by %.2g",
			c.at, c.got, c.margins[c.at], c.differs[c.at])
	}
	return nil
}

// rank is the place of the diverging row's margin among all, the smallest first.
func (c comparison) rank() int {
	smaller := 1
	for _, m := range c.margins {
		if m < c.margins[c.at] {
			smaller++
		}
	}
	return smaller
}

func (g golden) compare(t *testing.T, m model.Model, p goldenPrompt) comparison {
	t.Helper()
	c := comparison{at: -1}
	for i, got := range greedy(t, m, p.Prompt, len(p.Greedy)) {
		if got != p.Greedy[i] {
			c.at, c.got = i, got
			break
		}
	}
	rows := len(p.Greedy)
	logits, err := session(t, m).Forward(slices.Concat(p.Prompt, p.Greedy[:rows-1]), rows)
	if err != nil {
		t.Fatal(err)
	}
	ours := make([]float32, m.Info().Vocab)
	for r := range rows {
		if err := logits.Read(r, ours); err != nil {
			t.Fatal(err)
		}
		ids, theirs := g.row(p, r, len(ours))
		var worst float64 // max keeps a NaN
		for i, id := range ids {
			worst = max(worst, math.Abs(float64(ours[id])-float64(theirs[i])))
		}
		c.differs = append(c.differs, worst)
		c.margins = append(c.margins, float64(theirs[0])-float64(theirs[1]))
		c.worst = max(c.worst, worst)
	}
	return c
}
