//go:build models

package ref_test

import (
	"encoding/binary"
	"math"
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
