//go:build mlx

package llama_test

import (
	"path/filepath"
	"testing"

	"foretoken/mlx/llama"
	"foretoken/model"
	"foretoken/model/checkpoint"
	"foretoken/model/checkpoint/checkpointtest"
	"foretoken/model/modeltest"
	"foretoken/model/ref"
)

// Tolerances are of a logit, as part of the largest, against model/ref, which
// computes in float32.
var tolerance = map[checkpoint.DType]float64{
	checkpoint.F32: 1e-5, checkpoint.F16: 3e-3, checkpoint.BF16: 2e-2,
}

func TestConforms(t *testing.T) {
	for name, c := range families {
		t.Run(name, func(t *testing.T) {
			if err := modeltest.ConformWithin(loaded(t, write(t, c, checkpoint.F32)), 3, 1e-4); err != nil {
				t.Error(err)
			}
		})
	}
}

// So it does with half the bits, as far as those tell, and with quantised weights.
func TestHalfConforms(t *testing.T) {
	for name, c := range families {
		for d, tolerance := range map[checkpoint.DType]float64{checkpoint.F16: .05, checkpoint.BF16: .4} {
			t.Run(name+"/"+d.String(), func(t *testing.T) {
				if err := modeltest.ConformWithin(loaded(t, write(t, c, d)), 3, tolerance); err != nil {
					t.Error(err)
				}
			})
		}
	}
	for _, arch := range []string{"llama", "qwen2", "qwen3"} {
		for _, bits := range []int{4, 8} {
			dir := t.TempDir()
			if err := checkpointtest.New(wide(arch), 7).WriteAffine(dir, checkpoint.F32, bits, 32, 2, nil); err != nil {
				t.Fatal(err)
			}
			if err := modeltest.ConformWithin(loaded(t, opened(t, dir)), 3, 1e-4); err != nil {
				t.Errorf("%s, %d bits: %v", arch, bits, err)
			}
		}
	}
}

// Logits are those of model/ref, for every family and type, for all first layers,
// at any division into calls, with rollbacks between.
func TestAgreesWithRef(t *testing.T) {
	for name, c := range families {
		for _, d := range []checkpoint.DType{checkpoint.F32, checkpoint.F16, checkpoint.BF16} {
			t.Run(name+"/"+d.String(), func(t *testing.T) { agree(t, write(t, c, d), tolerance[d]) })
		}
	}
}

// A GGUF's blocks are computed with as float32.
func TestGGUFAgreesWithRef(t *testing.T) {
	for _, d := range []checkpoint.DType{checkpoint.F32, checkpoint.F16, checkpoint.Q8_0, checkpoint.Q4_1} {
		t.Run(d.String(), func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "m.gguf")
			if err := checkpointtest.New(small("llama", func(*checkpoint.Config) {}), 7).WriteGGUF(path, d); err != nil {
				t.Fatal(err)
			}
			want := tolerance[checkpoint.F32]
			if d == checkpoint.F16 {
				want = tolerance[d]
			}
			agree(t, opened(t, path), want)
		})
	}
}

func agree(t *testing.T, ck *checkpoint.Checkpoint, tolerance float64) {
	t.Helper()
	hold(t, loaded(t, ck), ck, tolerance)
}

func hold(t *testing.T, m *llama.Model, ck *checkpoint.Checkpoint, tolerance float64) {
	t.Helper()
	oracle, err := ref.NewFloat32(ck)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := m.Info(), oracle.Info(); got.Vocab != want.Vocab || got.Layers != want.Layers || got.Parameters != want.Parameters || got.Context != want.Context {
		t.Errorf("%+v, want %+v", got, want)
	}
	v := ck.Config.Vocab
	tokens := ids(1, 60, v)
	for _, layers := range []int{1, ck.Config.Layers} {
		first, err := m.FirstLayers(layers)
		if err != nil {
			t.Fatal(err)
		}
		firstRef, err := oracle.(model.LayerSkipper).FirstLayers(layers)
		if err != nil {
			t.Fatal(err)
		}
		want := rows(t, session(t, firstRef), tokens, len(tokens), v)
		for _, split := range []int{1, 4, len(tokens)} {
			s := session(t, first)
			var got [][]float32
			for at := 0; at < len(tokens); at += split {
				if _, err := s.Forward(ids(uint64(at), 3, v), 0); err != nil {
					t.Fatal(err)
				}
				if err := s.Trim(at); err != nil {
					t.Fatal(err)
				}
				some := tokens[at:min(at+split, len(tokens))]
				got = append(got, rows(t, s, some, len(some), v)...)
			}
			if d := apart(got, want); !(d <= tolerance) {
				t.Errorf("%d layers, %d tokens at a time: a logit is off by %.2g of the largest, want at most %g", layers, split, d, tolerance)
			} else {
				t.Logf("%d layers, %d at a time: %.2g", layers, split, d)
			}
		}
	}
}
