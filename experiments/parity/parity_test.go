package parity_test

import (
	"encoding/binary"
	"errors"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"foretoken/draft"
	"foretoken/experiments"
	"foretoken/experiments/parity"
	"foretoken/model"
	"foretoken/model/checkpoint"
	"foretoken/model/checkpoint/checkpointtest"
	"foretoken/model/modeltest"
	"foretoken/model/ref"
)

// peer is a model of ours in the place of mlx-lm.
type peer struct{ m model.Model }

func (p peer) Greedy(prompt []model.Token, n, _ int) (out []model.Token, err error) {
	s, err := p.m.NewSession()
	if err != nil {
		return nil, err
	}
	for next := prompt; len(out) < n; next = out[len(out)-1:] {
		l, err := s.Forward(next, 1)
		if err != nil {
			return nil, err
		}
		best, err := l.Argmaxes()
		if err != nil {
			return nil, err
		}
		out = append(out, best[0])
	}
	return out, nil
}

func (p peer) Speculate(prompt []model.Token, n, step, _ int) ([]model.Token, error) {
	return p.Greedy(prompt, n, step)
}

func (p peer) Sample([]model.Token, int, int, parity.Sampling) ([]model.Token, error) {
	return nil, errors.New("the peer does not sample")
}

func (p peer) Rows(tokens []model.Token, rows, _, _ int) ([]float32, error) {
	s, err := p.m.NewSession()
	if err != nil {
		return nil, err
	}
	l, err := s.Forward(tokens, rows)
	if err != nil {
		return nil, err
	}
	v := p.m.Info().Vocab
	out := make([]float32, rows*v)
	for i := range rows {
		if err := l.Read(i, out[i*v:][:v]); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// run compares m with the peer on some prompts, plain and drafted.
func run(t *testing.T, p parity.Peer, m model.Model, tolerance float64) parity.Report {
	t.Helper()
	config := parity.Config{Engines: []string{"it"}, Drafters: []experiments.Drafter{{Name: "ngram", K: []int{3}, Options: &draft.Ngram{}}},
		Splits: []int{0, 2}, MaxTokens: 40, Tolerance: tolerance}
	closed := 0
	models := experiments.NewModels(func(string) (*experiments.Opened, error) {
		return &experiments.Opened{Model: m, Close: func() error { closed++; return nil }}, nil
	})
	cells, _, err := config.Cells(models)
	if err != nil || len(cells) != 4 {
		t.Fatal(len(cells), err)
	}
	requests := []parity.Request{{ID: "a", Domain: "x", Prompt: []model.Token{1, 2, 3, 4, 5}}, {ID: "b", Domain: "x", Prompt: []model.Token{9, 8, 9, 8, 9}}}
	r, err := parity.Comparison{Config: config, Peer: p, Cells: cells, Requests: requests, Say: func(string) {}}.Run(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if err := models.Close(); err != nil || closed != 1 {
		t.Errorf("%d models were closed, want 1 (%v)", closed, err)
	}
	return r
}

func build(t *testing.T, fault func(*checkpoint.Checkpoint)) model.Model {
	t.Helper()
	dir := t.TempDir()
	if err := checkpointtest.New(checkpointtest.Small("llama"), 5).WriteFolder(dir, checkpoint.F32, 1); err != nil {
		t.Fatal(err)
	}
	ck, err := checkpoint.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer ck.Close()
	fault(ck)
	m, err := ref.New(ck)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// Each planted fault is a defect, and the same model is equal.
func TestDefects(t *testing.T) {
	sound := build(t, func(*checkpoint.Checkpoint) {})
	for name, m := range map[string]model.Model{
		"control":   sound,
		"rope base": build(t, func(c *checkpoint.Checkpoint) { c.Config.RopeTheta *= 1.01 }),
		"epsilon":   build(t, func(c *checkpoint.Checkpoint) { c.Config.NormEps *= 10 }),
		"final norm": build(t, func(c *checkpoint.Checkpoint) {
			norm := c.Tensors["model.norm.weight"]
			norm.Data = make([]byte, len(norm.Data))
			for i := 0; i < len(norm.Data); i += 4 {
				binary.LittleEndian.PutUint32(norm.Data[i:], math.Float32bits(1))
			}
			c.Tensors["model.norm.weight"] = norm
		}),
		"cache not trimmed": untrimmed{sound},
	} {
		r := run(t, peer{sound}, m, 1e-6)
		switch n := r.Defects(); {
		case name == "control" && n > 0, name != "control" && n == 0:
			t.Errorf("%s: %d defects", name, n)
		}
		for _, c := range r.Cells {
			if name == "control" && c.Count(parity.Equal) != 2 {
				t.Errorf("%s: %+v", name, c)
			}
			// Without a rejection there is nothing to trim.
			if name != "control" && c.Count(parity.Defect) == 0 && (name != "cache not trimmed" || c.K > 0) {
				t.Errorf("%s: no defect with K = %d, split %d", name, c.K, c.Split)
			}
		}
	}
}

// untrimmed is a model whose sessions say that they forgot, and did not.
type untrimmed struct{ model.Model }

func (m untrimmed) NewSession() (model.Session, error) {
	s, err := m.Model.NewSession()
	return &untrimmedSession{s, s.Len()}, err
}

type untrimmedSession struct {
	model.Session
	n int
}

func (s *untrimmedSession) Len() int { return s.n }

func (s *untrimmedSession) Forward(tokens []model.Token, rows int) (model.Logits, error) {
	s.n += len(tokens)
	return s.Session.Forward(tokens, rows)
}

func (s *untrimmedSession) Trim(n int) error {
	s.n = n
	return nil
}

// bent adds to the logits of a model.
type bent struct {
	model.Model
	by float32
}

func (m bent) NewSession() (model.Session, error) {
	s, err := m.Model.NewSession()
	return bentSession{s, m.by}, err
}

type bentSession struct {
	model.Session
	by float32
}

func (s bentSession) Forward(tokens []model.Token, rows int) (model.Logits, error) {
	l, err := s.Session.Forward(tokens, rows)
	return bentLogits{l, s.by}, err
}

type bentLogits struct {
	model.Logits
	by float32
}

func (l bentLogits) Read(row int, dst []float32) error {
	err := l.Logits.Read(row, dst)
	dst[0] += l.by
	return err
}

// The tolerance is the config's, or else the peer's own spread, here 0.
func TestTolerance(t *testing.T) {
	m := modeltest.Hash{Vocab: 20, Real: 20}
	for _, c := range []struct {
		by        float32
		tolerance float64
		defects   int
	}{{1e-3, 2e-3, 0}, {3e-3, 2e-3, 8}, {3e-3, 0, 8}, {0, 0, 0}} {
		if r := run(t, peer{m}, bent{m, c.by}, c.tolerance); r.Defects() != c.defects {
			t.Errorf("off by %v, tolerance %v: %d defects, want %d", c.by, c.tolerance, r.Defects(), c.defects)
		}
	}
}

func TestTables(t *testing.T) {
	m := modeltest.Hash{Vocab: 20, Real: 20}
	r := run(t, peer{m}, bent{m, 1}, 2e-3)
	r.Made = parity.Made{Peer: "mlx-lm 1", MLX: "here MLX 2"}
	var b strings.Builder
	for _, table := range r.Tables() {
		if err := table.Text(&b); err != nil {
			t.Fatal(err)
		}
	}
	for _, want := range []string{"Parity with mlx-lm", "defect", "a logit may differ by 0.002", "it ngram K=3 split 2", "made by an unknown revision; mlx-lm 1; here MLX 2"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %q in %s", want, b.String())
		}
	}
}

func TestLoad(t *testing.T) {
	if _, err := parity.Load("smollm2.yaml"); err != nil {
		t.Error(err)
	}
	good := "reference: {model: m}\nengines: [m]\nprompts: [{file: p}]\n"
	for text, want := range map[string]string{
		good:                                         "",
		good + "---\na: 1\n":                         "a second document",
		good + "colour: red\n":                       "colour",
		good + "max_tokens: 0\n":                     ":4:13: max_tokens: 0, want at least 1",
		good + "splits: [-1]\n":                      "splits[0]: -1, want 0 or more",
		good + "splits: []\n":                        "splits: want at least one",
		good + "tolerance: -1\n":                     "tolerance: -1",
		good + "tolerance: .nan\n":                   "tolerance: NaN",
		good + "drafters: [{name: ngram}]\n":         "drafters[0].k: is missing",
		good + "drafters: [{name: ngrams, k: 1}]\n":  `drafters[0].name: no "ngrams", did you mean "ngram"?`,
		good + "drafters: [{name: model, k: 1}]\n":   "model is missing",
		good + "max_tokens: many\n":                  `max_tokens: "many", want a whole number`,
		good + "max_token: 1\n":                      `did you mean "max_tokens"?`,
		good + "drafters: [{name: ngram, k: [0]}]\n": "drafters[0].k[0]: 0",
		"engines: [m]\nprompts: [{file: p}]\n":       "reference.model: is missing",
		"reference: {model: m}\nengines: [m]\n":      "prompts: want at least one",
		"reference: {model: m}\n":                    "engines: want at least one",
		"reference: {model: m, dtype: float33}\n":    `reference.dtype: "float33", want one of float32, float16, bfloat16`,
	} {
		file := filepath.Join(t.TempDir(), "p.yaml")
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		if _, err := parity.Load(file); (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}
