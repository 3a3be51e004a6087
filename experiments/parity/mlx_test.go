//go:build mlx

package parity_test

import (
	"encoding/binary"
	"math"
	"os"
	"path/filepath"
	"testing"

	"foretoken/draft"
	"foretoken/experiments"
	"foretoken/experiments/parity"
	"foretoken/mlx"
	"foretoken/mlx/llama"
	"foretoken/mlx/mlxtest"
	"foretoken/model"
	"foretoken/model/checkpoint"
	"foretoken/model/load"
	"foretoken/model/modeltest"
	"foretoken/model/tokenizer"
)

// smollm2 is the real model on MLX, with a fault planted in it, and its tokenizer.
func smollm2(t *testing.T, path string, fault func(*checkpoint.Checkpoint)) (*llama.Model, *tokenizer.Tokenizer) {
	t.Helper()
	ck, err := checkpoint.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer ck.Close()
	fault(ck)
	e, err := mlx.Open(mlxtest.Options())
	if err != nil {
		t.Fatal(err)
	}
	m, err := llama.New(e, ck, llama.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { m.Close() })
	tok, err := tokenizer.FromGGUF(ck.GGUF)
	if err != nil {
		t.Fatal(err)
	}
	return m, tok
}

// On SmolLM2, MLX under Go is mlx-lm, plain and drafted, and each planted fault is a
// defect.
func TestSmolLM2(t *testing.T) {
	root := filepath.Join("..", "..")
	path := filepath.Dir(modeltest.SmolLM2(t))
	sound, tok := smollm2(t, path, func(*checkpoint.Checkpoint) {})
	bridge, err := parity.Start(t.Context(), parity.Reference{Python: filepath.Join(root, ".venv", "bin", "python"), Bridge: filepath.Join(root, "scripts", "mlx_bridge.py"), DType: "float32"}, path, path, os.Stderr)
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := bridge.Close(); err != nil {
			t.Error(err)
		}
	}()
	requests := []parity.Request{
		{ID: "code", Prompt: tok.Prompt("def fibonacci(n):\n    \"\"\"Return the n-th Fibonacci number.\"\"\"\n    if n < 2:\n        return n\n")},
		{ID: "text", Prompt: tok.Prompt("The capital of France is Paris. The capital of Italy is Rome. The capital of Spain is")},
	}
	for name, c := range map[string]struct {
		m     model.Model
		tries []parity.Request
	}{
		"control":           {sound, requests},
		"rope base":         {faulty(t, path, func(c *checkpoint.Checkpoint) { c.Config.RopeTheta *= 1.01 }), requests[:1]},
		"epsilon":           {faulty(t, path, func(c *checkpoint.Checkpoint) { c.Config.NormEps *= 10 }), requests[:1]},
		"final norm":        {faulty(t, path, withoutFinalNorm), requests[:1]},
		"cache not trimmed": {untrimmed{sound}, requests[:1]},
	} {
		config := parity.Config{Engines: []string{name}, Drafters: []experiments.Drafter{{Name: "ngram", K: []int{4}, Options: &draft.Ngram{}}}, Splits: []int{0}, MaxTokens: 12, Tolerance: 2e-3}
		if name == "control" {
			config.Reference.Draft = "itself"
			config.Drafters = append(config.Drafters, experiments.Drafter{Name: "model", K: []int{2}, Options: &draft.Model{Draft: draft.ModelRef{Name: "itself"}}})
			config.Sampled = []parity.Sampling{{Temperature: 1, Seed: 3}, {Temperature: .7, TopP: .9, Seed: 5}, {Temperature: 1.2, MinP: .02, TopK: 50, Seed: 1 << 40}}
		}
		cells, _, err := config.Cells(experiments.NewModels(func(string) (*experiments.Opened, error) {
			return &experiments.Opened{Model: c.m, Tokenizer: noWords{}}, nil
		}))
		if err != nil {
			t.Fatal(err)
		}
		r, err := parity.Comparison{Config: config, Peer: bridge, Cells: cells, Requests: c.tries, Noise: noise, Say: func(s string) { t.Log(s) }}.Run(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if n := r.Defects(); (n > 0) != (name != "control") {
			t.Errorf("%s: %d defects", name, n)
		}
	}
}

func noise(seed uint64) (parity.Noise, error) {
	return load.Options{MLX: mlxtest.Options()}.Noise(seed)
}

func faulty(t *testing.T, path string, fault func(*checkpoint.Checkpoint)) model.Model {
	m, _ := smollm2(t, path, fault)
	return m
}

func withoutFinalNorm(c *checkpoint.Checkpoint) {
	norm := c.Tensors["model.norm.weight"]
	norm.Data = make([]byte, len(norm.Data))
	for i := 0; i < len(norm.Data); i += 4 {
		binary.LittleEndian.PutUint32(norm.Data[i:], math.Float32bits(1))
	}
	c.Tensors["model.norm.weight"] = norm
}
