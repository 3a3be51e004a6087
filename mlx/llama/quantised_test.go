//go:build mlx

package llama_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"foretoken/mlx"
	"foretoken/mlx/llama"
	"foretoken/model/checkpoint"
	"foretoken/model/checkpoint/checkpointtest"
)

// Weights that a quantised matrix can hold exactly give model/ref's logits.
func TestQuantisedAgreesWithRef(t *testing.T) {
	compute, within := mlx.Float32, checkpoint.F32
	if engine(t).Quantised(compute, 64) != nil {
		compute, within = mlx.BFloat16, checkpoint.BF16
	}
	for _, tied := range []bool{false, true} {
		for bits, levels := range map[int]int{4: 16, 8: 256} {
			c := small("llama", func(c *checkpoint.Config) { c.Hidden, c.Intermediate, c.HeadDim, c.TiedHead = 64, 128, 16, tied })
			made := checkpointtest.New(c, 7)
			rng := rand.New(rand.NewPCG(3, 3))
			for _, x := range made.Tensors {
				if len(x.Shape) < 2 {
					continue
				}
				for i := range x.Values { // from -1 up, in steps of 2/levels
					level := rng.IntN(levels)
					if i%64 < 2 {
						level = i % 64 * (levels - 1) // a group has both ends
					}
					x.Values[i] = (float32(level)*2/float32(levels) - 1) / 4
				}
			}
			dir := t.TempDir()
			if err := made.WriteFolder(dir, checkpoint.F32, 1); err != nil {
				t.Fatal(err)
			}
			ck := opened(t, dir)
			m, err := llama.New(engine(t), ck, llama.Options{Bits: bits, DType: compute})
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { m.Close() })
			hold(t, m, ck, tolerance[within])
		}
	}
}

// Where products of float32 are wrong, a model that would make them is refused by name.
func TestQuantised32Refused(t *testing.T) {
	e := engineWith(t, func(o *mlx.Options) { o.RefuseQuantised32 = mlx.On })
	ck, handles := write(t, small("llama", func(c *checkpoint.Config) { c.Hidden, c.Intermediate, c.HeadDim = 64, 128, 16 }), checkpoint.F32), e.Handles()
	_, err := llama.New(e, ck, llama.Options{Bits: 8, DType: mlx.Float32})
	if err == nil || !strings.Contains(err.Error(), ck.Path+": MLX for CUDA multiplies weights quantised in groups of 64 with float32 wrongly: want bfloat16") {
		t.Error(err)
	}
	if e.Handles() != handles {
		t.Errorf("%d handles are left, want %d", e.Handles(), handles)
	}
	m, err := llama.New(e, ck, llama.Options{Bits: 8, DType: mlx.BFloat16})
	if err != nil {
		t.Fatal(err)
	}
	m.Close()
}

func TestCannotQuantise(t *testing.T) {
	e := engine(t)
	handles := e.Handles()
	_, err := llama.New(e, write(t, families["llama"], checkpoint.F32), llama.Options{Bits: 4})
	if err == nil || !strings.Contains(err.Error(), "has rows of 32: want a multiple of 64") {
		t.Error(err)
	}
	if e.Handles() != handles {
		t.Errorf("%d handles are left, want %d", e.Handles(), handles)
	}
}
