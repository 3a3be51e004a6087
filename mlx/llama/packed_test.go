//go:build mlx

package llama_test

import (
	"encoding/binary"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"foretoken/mlx/llama"
	"foretoken/model"
	"foretoken/model/checkpoint"
	"foretoken/model/checkpoint/checkpointtest"
)

// wide has rows of whole groups.
func wide(arch string) checkpoint.Config {
	return small(arch, func(c *checkpoint.Config) { c.Hidden, c.Intermediate, c.HeadDim, c.Vocab = 64, 128, 16, 96 })
}

// What mlx-lm quantised and saved gives mlx-lm's own logits.
func TestPackedIsMLXLM(t *testing.T) {
	for _, arch := range []string{"llama", "qwen3"} { // a head of its own, and a tied one
		c := wide(arch)
		source, out := t.TempDir(), t.TempDir()
		if err := checkpointtest.New(c, 7).WriteFolder(source, checkpoint.F32, 1); err != nil {
			t.Fatal(err)
		}
		python := exec.Command(filepath.Join("..", "..", ".venv", "bin", "python"), "-I", filepath.Join("testdata", "quantise.py"), source, out)
		if b, err := python.CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, b)
		}
		// Python's process has another BLAS, for attention's products.
		for dtype, tolerance := range map[string]float64{"float32": 1e-6, "bfloat16": 8e-3, "float16": 1e-3} {
			if name := "mxfp4-" + dtype; dtype == "float32" { // read as floats: in half precision the sums differ
				t.Run(arch+"/"+name, func(t *testing.T) { sameAsMLXLM(t, filepath.Join(out, name), c.Vocab, 1e-5) })
			}
			for _, bits := range []int{3, 4, 5, 6, 8} {
				for _, group := range []int{32, 64} {
					name := fmt.Sprintf("%d-%d-%s", bits, group, dtype)
					t.Run(arch+"/"+name, func(t *testing.T) { sameAsMLXLM(t, filepath.Join(out, name), c.Vocab, tolerance) })
				}
			}
		}
	}
}

func sameAsMLXLM(t *testing.T, folder string, vocab int, tolerance float64) {
	b, err := os.ReadFile(filepath.Join(folder, "logits.f32"))
	if err != nil {
		t.Fatal(err)
	}
	want := make([][]float32, vocab)
	for i := range want {
		want[i] = make([]float32, vocab)
		if _, err := binary.Decode(b[4*i*vocab:], binary.LittleEndian, want[i]); err != nil {
			t.Fatal(err)
		}
	}
	m := loaded(t, opened(t, folder))
	tokens := make([]model.Token, vocab)
	for i := range tokens {
		tokens[i] = model.Token(i)
	}
	got := rows(t, session(t, m), tokens, vocab, vocab)
	if d := apart(got, want); !(d <= tolerance) {
		t.Errorf("a logit is off by %.2g of the largest, want at most %g", d, tolerance)
	}
}

// A quantised checkpoint gives model/ref's logits, which computes with the values.
func TestPackedAgreesWithRef(t *testing.T) {
	for _, arch := range []string{"llama", "qwen2", "qwen3"} {
		for _, bits := range []int{2, 3, 4, 5, 6, 8} {
			// In float16, MLX rounds each weight that it makes of its group.
			for d, tolerance := range map[checkpoint.DType]float64{checkpoint.F32: 1e-5, checkpoint.F16: 8e-3} {
				t.Run(fmt.Sprint(arch, bits, d), func(t *testing.T) {
					dir := t.TempDir()
					if err := checkpointtest.New(wide(arch), 7).WriteAffine(dir, d, bits, 32, 2, nil); err != nil {
						t.Fatal(err)
					}
					agree(t, opened(t, dir), tolerance)
				})
			}
		}
	}
}

// What is quantised is not quantised again.
func TestCannotPackTwice(t *testing.T) {
	dir := t.TempDir()
	if err := checkpointtest.New(wide("llama"), 7).WriteAffine(dir, checkpoint.F32, 4, 32, 1, nil); err != nil {
		t.Fatal(err)
	}
	_, err := llama.New(engine(t), opened(t, dir), llama.Options{Bits: 8})
	if err == nil || !strings.Contains(err.Error(), "is quantised to 4 bits") {
		t.Error(err)
	}
}
