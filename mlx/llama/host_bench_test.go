//go:build mlx

package llama_test

import (
	"os"
	"testing"
	"time"

	"foretoken/mlx"
	"foretoken/mlx/llama"
	"foretoken/model"
	"foretoken/model/checkpoint"
	"foretoken/model/checkpoint/checkpointtest"
)

// BenchmarkHost decodes with a model of SmolLM2's layers that are next to nothing to
// compute: what is left is what the host does for a token. HOST_MODEL keeps the model in
// a folder, for mlx-lm to decode with too.
func BenchmarkHost(b *testing.B) {
	dir := os.Getenv("HOST_MODEL")
	if dir == "" {
		dir = b.TempDir()
	}
	c := checkpointtest.Small("llama")
	c.Hidden, c.Intermediate, c.Heads, c.KVHeads, c.HeadDim, c.Layers, c.Vocab, c.Context = 36, 64, 9, 3, 4, 30, 512, 0
	c.TiedHead = true
	if err := checkpointtest.New(c, 7).WriteFolder(dir, checkpoint.F32, 1); err != nil {
		b.Fatal(err)
	}
	ck, err := checkpoint.Open(dir)
	if err != nil {
		b.Fatal(err)
	}
	defer ck.Close()
	m := loaded(b, ck)
	b.Run("graph", func(b *testing.B) {
		s, err := m.NewSession()
		if err != nil {
			b.Fatal(err)
		}
		defer s.Close()
		all := time.Duration(0)
		for b.Loop() {
			took, err := llama.Build(s, 5)
			if err != nil {
				b.Fatal(err)
			}
			all += took
		}
		b.ReportMetric(float64(all.Microseconds())/float64(b.N), "us/graph")
	})
	for ahead, name := range map[mlx.Switch]string{mlx.Off: "in turn", mlx.On: "ahead"} {
		m := loadedOn(b, engineWith(b, func(o *mlx.Options) { o.Overlap = ahead }), ck)
		b.Run(name, func(b *testing.B) {
			s, err := m.NewSession()
			if err != nil {
				b.Fatal(err)
			}
			defer s.Close()
			s.(model.Pipelined).Pipeline(1 << 30)
			next := []model.Token{5}
			b.ReportAllocs()
			for b.Loop() {
				if s.Len() == 512 {
					if err := s.Trim(256); err != nil {
						b.Fatal(err)
					}
				}
				l, err := s.Forward(next, 1)
				if err != nil {
					b.Fatal(err)
				}
				if next, err = l.Argmaxes(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
