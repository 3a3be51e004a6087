package ref

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"foretoken/model/checkpoint"
	"foretoken/model/checkpoint/checkpointtest"
)

// vectorSets are the sets of kernels that the benchmarks take: all but the plain ones,
// where there are others.
func vectorSets() []*kernels {
	all := sets()
	return all[min(1, len(all)-1):]
}

// smolShaped is a checkpoint of random weights with the sizes and types of SmolLM2-135M
// as Q4_1: no time depends on weights. All its layers are one.
func smolShaped() *checkpoint.Checkpoint {
	c := checkpoint.Config{Name: "of SmolLM2's shape", Architecture: "llama", Hidden: 576, Layers: 30, Heads: 9, KVHeads: 3, HeadDim: 64,
		Intermediate: 1536, Vocab: 49152, Context: 8192, NormEps: 1e-5, RopeTheta: 100000, BOS: -1, TiedHead: true}
	r := rand.New(rand.NewPCG(1, 2))
	one := c
	one.Layers, one.Vocab = 1, 32
	ck := quantisedAs(one, slices.Repeat([]checkpoint.DType{checkpoint.Q4_1}, 8)...)
	for name, t := range ck.Tensors {
		for i := 1; i < c.Layers; i++ {
			if rest, ok := strings.CutPrefix(name, layerName(0)); ok {
				ck.Tensors[layerName(i)+rest] = t
			}
		}
	}
	ck.Config = c
	ck.Tensors["model.embed_tokens.weight"] = checkpoint.Tensor{Type: checkpoint.Q8_0, Shape: []int{c.Vocab, c.Hidden},
		Data: slices.Repeat(checkpointtest.Encode(checkpoint.Q8_0, gauss(r, 96*c.Hidden)), c.Vocab/96)}
	return ck
}

// BenchmarkPackedForward prints what a step of 2, 3, 5 and 9 rows costs beside one of
// one row, whole model, 200 tokens cached, on every set of vector kernels that this
// processor runs.
func BenchmarkPackedForward(b *testing.B) {
	ck := smolShaped()
	benchForwards(b, func(k *kernels) *Model {
		m, err := build(ck, how{k: k, pool: cores()})
		if err != nil {
			b.Fatal(err)
		}
		return m
	})
}

func benchForwards(b *testing.B, of func(*kernels) *Model) {
	counts := []int{1, 2, 3, 5, 9}
	var arms []*arm
	for _, k := range vectorSets() {
		m := of(k)
		for _, n := range counts {
			arms = append(arms, &arm{name: fmt.Sprintf("%s %d", k.blocks.name, n), run: forward(b, m, n)})
		}
	}
	interleave(b, arms)
	for i, k := range vectorSets() {
		of := arms[len(counts)*i:][:len(counts)]
		of[0].print()
		for j, n := range counts[1:] {
			ratio(b, of[1+j], of[0], fmt.Sprintf("%s-%drows/1row", k.blocks.name, n))
		}
	}
}

// BenchmarkPackedBlocks prints what kernels make of a block of 16 rows and 32 columns,
// 512 products a vector, on one core: of one matrix that stays in its cache, and of 40
// that do not. The least of the rounds' times.
func BenchmarkPackedBlocks(b *testing.B) {
	const matrices = 40
	type shape struct {
		d          checkpoint.DType
		rows, cols int
	}
	counts := []int{1, 2, 3, 4, 5, 9}
	var arms []*arm
	var names []string
	var blocks []int
	r := rand.New(rand.NewPCG(1, 1))
	for _, of := range []shape{{checkpoint.Q4_1, 1536, 576}, {checkpoint.Q4_1, 576, 1536}, {checkpoint.Q8_0, 1536, 576}} {
		t := encoded(r, of.d, of.rows, of.cols)
		for _, k := range vectorSets() {
			all := make([]*packed, matrices)
			for i := range all {
				all[i] = packAll(b, k, t)
			}
			names = append(names, fmt.Sprintf("%-12s %v %4d x %4d", k.blocks.name, of.d, of.rows, of.cols))
			blocks = append(blocks, matrices*of.rows*of.cols/(packRows*blockCols))
			for _, n := range counts {
				x, y := newVectors(n, of.cols), newVectors(n, of.rows)
				copy(x.data, gauss(r, len(x.data)))
				in := input{x, quantisedBy(k, x, of.cols)}
				for _, count := range []int{1, matrices} {
					arms = append(arms, &arm{run: func() {
						for i := range matrices {
							p := all[i%count]
							for from := 0; from < p.rows; from += p.turn() {
								p.product(y, in, from, min(from+p.turn(), p.rows))
							}
						}
					}})
				}
			}
		}
	}
	interleave(b, arms)
	fmt.Printf("ns a block in cache/streaming, for %v vectors\n", counts)
	for i, name := range names {
		fmt.Print(name)
		for j := range counts {
			least := func(a *arm) float64 { return 1e6 * slices.Min(a.times) / float64(blocks[i]) }
			at := 2 * (len(counts)*i + j)
			fmt.Printf("  %5.1f/%5.1f", least(arms[at]), least(arms[at+1]))
		}
		fmt.Println()
	}
}
