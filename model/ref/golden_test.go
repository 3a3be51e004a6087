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
	"foretoken/model/checkpoint"
	"foretoken/model/modeltest"
	"foretoken/model/ref"
)

// tolerance is the largest difference of a logit between two correct float32
// forwards of SmolLM2.
const tolerance = 2e-3

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

func greedy(t *testing.T, m model.Model, prompt []model.Token, n int) (out []model.Token) {
	t.Helper()
	s, next := session(t, m), prompt
	for range n {
		logits, err := s.Forward(next, 1)
		if err != nil {
			t.Fatal(err)
		}
		best, err := logits.Argmaxes()
		if err != nil {
			t.Fatal(err)
		}
		next = []model.Token{best[0]}
		out = append(out, best[0])
	}
	return out
}

func session(t *testing.T, m model.Model) model.Session {
	t.Helper()
	s, err := m.NewSession()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

// open loads the golden model, with a fault planted in it.
func (g golden) open(t *testing.T, fault func(*checkpoint.Checkpoint)) model.Model {
	t.Helper()
	c, err := checkpoint.Open(filepath.Join(modeltest.Real(t), filepath.FromSlash(g.Model)))
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	fault(c)
	m, err := ref.NewFloat32(c)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// The greedy text of SmolLM2 is mlx-lm's, or leaves it at a near-tie.
func TestGreedyIsMLX(t *testing.T) {
	g := readGolden(t)
	if len(g.Prompts) != 20 {
		t.Fatalf("%d prompts, want 20", len(g.Prompts))
	}
	g.hold(t, g.Prompts)
}

// So it is on the plain kernels, on half the tokens of a prompt of each domain: they
// are slower.
func TestGreedyIsMLXPlain(t *testing.T) {
	g := readGolden(t)
	ref.Plain(t)
	var some []goldenPrompt
	for _, p := range g.Prompts {
		if !slices.ContainsFunc(some, func(o goldenPrompt) bool { return o.Domain == p.Domain }) {
			p.Greedy = p.Greedy[:32]
			some = append(some, p)
		}
	}
	if len(some) != 5 {
		t.Fatalf("prompts of %d domains, want 5", len(some))
	}
	g.hold(t, some)
}

// hold compares the greedy text of prompts, and says where it parts.
func (g golden) hold(t *testing.T, prompts []goldenPrompt) {
	t.Helper()
	m := g.open(t, func(*checkpoint.Checkpoint) {})
	equal, worst := 0, 0.0
	for _, p := range prompts {
		c := g.compare(t, m, p)
		worst = max(worst, c.worst)
		if err := c.defect(); err != nil {
			t.Errorf("%s: %v", p.ID, err)
		}
		if c.at < 0 {
			equal++
			continue
		}
		t.Logf("%s: token %d is %d, mlx-lm's %d: margin %.2g (rank %d of %d), largest difference of the row %.2g, of all rows %.2g",
			p.ID, c.at, c.got, p.Greedy[c.at], c.margins[c.at], c.rank(), len(c.margins), c.differs[c.at], c.worst)
	}
	t.Logf("%d of %d prompts equal; largest difference of a logit %.2g", equal, len(prompts), worst)
}

// What a sound check must call defects: a rope base 1 % off, a norm's epsilon ten
// times too large, and a norm left out, here by a weight of ones.
func TestGoldenSeesDefects(t *testing.T) {
	g := readGolden(t)
	for name, fault := range map[string]func(*checkpoint.Checkpoint){
		"rope base": func(c *checkpoint.Checkpoint) { c.Config.RopeTheta *= 1.01 },
		"epsilon":   func(c *checkpoint.Checkpoint) { c.Config.NormEps *= 10 },
		"norm": func(c *checkpoint.Checkpoint) {
			const name = "model.layers.15.input_layernorm.weight"
			norm := c.Tensors[name]
			norm.Data = make([]byte, len(norm.Data))
			for i := 0; i < len(norm.Data); i += 4 {
				binary.LittleEndian.PutUint32(norm.Data[i:], math.Float32bits(1))
			}
			c.Tensors[name] = norm
		},
	} {
		c := g.compare(t, g.open(t, fault), g.Prompts[0])
		if c.defect() == nil {
			t.Errorf("%s: no defect, with logits that differ by %.2g", name, c.worst)
		}
		t.Logf("%s: %v", name, c.defect())
	}
}

// The definition itself, on numbers.
func TestDefect(t *testing.T) {
	for _, c := range []struct {
		name string
		comparison
		want bool
	}{
		{"equal", comparison{worst: 1e-3, at: -1}, false},
		{"equal, but logits off", comparison{worst: 3e-3, at: -1}, true},
		{"not a number", comparison{worst: max(math.NaN(), 1), at: -1}, true},
		{"near-tie", comparison{worst: 1e-3, differs: []float64{1e-4}, margins: []float64{2e-4}}, false},
		{"clear margin", comparison{worst: 1e-3, differs: []float64{1e-4}, margins: []float64{3e-4}}, true},
	} {
		if (c.defect() != nil) != c.want {
			t.Errorf("%s: defect is %v", c.name, c.defect())
		}
	}
}
