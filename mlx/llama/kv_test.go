//go:build mlx

package llama_test

import (
	"encoding/binary"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"foretoken/mlx"
	"foretoken/mlx/llama"
	"foretoken/model"
	"foretoken/model/checkpoint"
	"foretoken/model/checkpoint/checkpointtest"
	"foretoken/model/modeltest"
)

// heads is a model whose heads are groups of 32 or of 64.
func heads(arch string, dim int) checkpoint.Config {
	return small(arch, func(c *checkpoint.Config) { c.HeadDim, c.Context = dim, 512 })
}

func quantisedCache(t *testing.T, ck *checkpoint.Checkpoint, bits int) *llama.Model {
	t.Helper()
	return quantisedCacheOn(t, engine(t), ck, bits)
}

func quantisedCacheOn(t *testing.T, e *mlx.Engine, ck *checkpoint.Checkpoint, bits int) *llama.Model {
	t.Helper()
	m, err := llama.New(e, ck, llama.Options{KVBits: bits})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { m.Close() })
	return m
}

// A quantised cache gives mlx-lm's logits, of a prompt at once and then token by
// token, over more than one block of the cache.
func TestKVBitsIsMLXLM(t *testing.T) {
	const n, first = 300, 40
	for _, c := range []checkpoint.Config{heads("llama", 64), heads("qwen3", 32)} {
		for _, d := range []checkpoint.DType{checkpoint.F32, checkpoint.BF16} {
			source, out := t.TempDir(), t.TempDir()
			if err := checkpointtest.New(c, 7).WriteFolder(source, d, 1); err != nil {
				t.Fatal(err)
			}
			tokens := ids(3, n, c.Vocab)
			list := strings.Trim(strings.ReplaceAll(fmt.Sprint(tokens), " ", ","), "[]")
			python := exec.Command(filepath.Join("..", "..", ".venv", "bin", "python"), "-I", filepath.Join("testdata", "kvcache.py"),
				source, out, list, fmt.Sprint(first))
			if b, err := python.CombinedOutput(); err != nil {
				t.Fatalf("%v: %s", err, b)
			}
			for _, bits := range []int{4, 8} {
				b, err := os.ReadFile(filepath.Join(out, fmt.Sprintf("%d.f32", bits)))
				if err != nil {
					t.Fatal(err)
				}
				want := make([][]float32, n)
				for i := range want {
					want[i] = make([]float32, c.Vocab)
					if _, err := binary.Decode(b[4*i*c.Vocab:], binary.LittleEndian, want[i]); err != nil {
						t.Fatal(err)
					}
				}
				s := session(t, quantisedCache(t, opened(t, source), bits))
				got := rows(t, s, tokens[:first], first, c.Vocab)
				for _, token := range tokens[first:] {
					got = append(got, rows(t, s, []model.Token{token}, 1, c.Vocab)...)
				}
				// Python's process has another BLAS; what it rounds elsewhere may fall to
				// another level of a group.
				if x := apart(got, want); !(x <= 1e-3) {
					t.Errorf("%s, %v, %d bits: a logit is off by %.2g of the largest", c.Architecture, d, bits, x)
				}
			}
		}
	}
}

// Trim is exact: what follows is to the bit what follows where the forgotten had never
// been. So it is in a sliding window.
func TestKVBitsTrim(t *testing.T) {
	sliding := heads("mistral", 32)
	sliding.SlidingWindow = 7
	for _, c := range []checkpoint.Config{heads("llama", 32), heads("llama", 64), sliding} {
		for _, bits := range []int{4, 8} {
			m := quantisedCache(t, write(t, c, checkpoint.BF16), bits)
			kept, gone, next := ids(1, 33, c.Vocab), ids(2, 9, c.Vocab), ids(3, 5, c.Vocab)
			s, fresh := session(t, m), session(t, m)
			rows(t, s, kept, 1, c.Vocab)
			rows(t, s, gone, 1, c.Vocab)
			if err := s.Trim(len(kept)); err != nil {
				t.Fatal(err)
			}
			rows(t, fresh, kept, 1, c.Vocab)
			got, want := rows(t, s, next, 5, c.Vocab), rows(t, fresh, next, 5, c.Vocab)
			if !slices.EqualFunc(got, want, slices.Equal[[]float32]) {
				t.Errorf("%s, %d bits: other logits after a rollback", c.Architecture, bits)
			}
		}
	}
}

// The conformance kit passes, as far as a rounded cache lets a row be the same at
// another division into calls. So it does where products are of unpacked values, as on
// CUDA.
func TestKVBitsConforms(t *testing.T) {
	for bits, tolerance := range map[int]float64{8: .02, 4: .2} {
		ck := write(t, heads("llama", 32), checkpoint.F32)
		for _, unpack := range unpacking(t) {
			m := quantisedCacheOn(t, unpackingCaches(t, unpack), ck, bits)
			if err := modeltest.ConformWithin(m, 3, tolerance); err != nil {
				t.Errorf("%d bits, unpacked %v: %v", bits, unpack, err)
			}
		}
	}
}

// Products with unpacked values are those with packed ones.
func TestKVBitsUnpacked(t *testing.T) {
	forms := unpacking(t)
	for _, c := range []checkpoint.Config{heads("llama", 64), heads("qwen3", 32)} {
		ck := write(t, c, checkpoint.F32)
		tokens := ids(1, 40, c.Vocab)
		packed := session(t, quantisedCacheOn(t, unpackingCaches(t, forms[0]), ck, 4))
		unpacked := session(t, quantisedCacheOn(t, unpackingCaches(t, mlx.On), ck, 4))
		for _, n := range []int{30, 1, 5} {
			want := rows(t, packed, tokens[:n], n, c.Vocab)
			// What is cached is rounded, so that a last bit can come to a step of the cache.
			if x := apart(rows(t, unpacked, tokens[:n], n, c.Vocab), want); x > 1e-2 {
				t.Errorf("%s, %d tokens: a logit is off by %.2g of the largest", c.Architecture, n, x)
			}
			tokens = tokens[n:]
		}
	}
}

// unpacking is the forms of a cache's products that the device has: where it has none of
// packed values, those of unpacked ones alone.
func unpacking(t *testing.T) []mlx.Switch {
	if engine(t).UnpacksCaches() {
		return []mlx.Switch{mlx.On}
	}
	return []mlx.Switch{mlx.Off, mlx.On}
}

func unpackingCaches(t *testing.T, s mlx.Switch) *mlx.Engine {
	return engineWith(t, func(o *mlx.Options) { o.UnpackCaches = s })
}

// A model whose heads are no whole groups is refused by name, at once.
func TestKVBitsRefused(t *testing.T) {
	e := engine(t)
	handles := e.Handles()
	for want, o := range map[string]llama.Options{
		"a cache of 8 bits for heads of 8: want a multiple of 32": {KVBits: 8},
		"a cache of 5 bits: want 4 or 8":                          {KVBits: 5},
	} {
		ck := write(t, families["llama"], checkpoint.F32)
		if _, err := llama.New(e, ck, o); err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), ck.Path) {
			t.Errorf("%v: want %q", err, want)
		}
	}
	if e.Handles() != handles {
		t.Errorf("%d handles are left, want %d", e.Handles(), handles)
	}
}
