// Package bench times the sampler's host path beside others on the same rows: a
// bound in C, numpy, mlx-lm and llama.cpp, each a process that answers lines. Blocks
// are interleaved, and what is read are ratios within a round.
package bench

import (
	"fmt"
	"math"
	"math/rand/v2"

	"foretoken/model"
	"foretoken/sampler"
)

// A Task is what is done with a row.
type Task struct {
	Name   string // as peers know it
	Config sampler.Config
	Top    int // log-probabilities instead; 0 is a draw
	What   string
}

// Tasks are those that are timed.
func Tasks() []Task {
	full := sampler.NewConfig(.8)
	full.TopP, full.MinP, full.TopK, full.Penalties.Repetition, full.Penalties.Window = .9, .05, 40, 1.1, len(window)
	topP := sampler.NewConfig(.8)
	topP.TopP = .9
	return []Task{
		{"chain", full, 0, "repetition 1.1 over 20 tokens, temperature .8, top-p .9, min-p .05, top-k 40, a draw"},
		{"top_p", topP, 0, "temperature .8, top-p .9, a draw"},
		{"temperature", sampler.NewConfig(.8), 0, "temperature .8, a draw"},
		{"logprobs", sampler.NewConfig(0), 20, "the log-probabilities of the best 20"},
	}
}

// window is the history that penalties look at, the same for every peer.
var window = func() (ids [20]model.Token) {
	for i := range ids {
		ids[i] = model.Token(7919 * i % 150000)
	}
	return ids
}()

// A Row is logits of a kind.
type Row struct {
	Name  string
	Value func(r *rand.Rand, i, n int) float32
}

// Rows are the kinds that are timed.
func Rows() []Row {
	return []Row{
		{"normal", func(r *rand.Rand, _, _ int) float32 { return float32(4 * r.NormFloat64()) }},
		{"bf16", func(r *rand.Rand, _, _ int) float32 {
			return math.Float32frombits(math.Float32bits(float32(3*r.NormFloat64())) &^ 0xffff)
		}},
		{"peaked", func(r *rand.Rand, i, n int) float32 {
			if i == n/3 {
				return 30
			}
			return float32(r.NormFloat64())
		}},
		{"forty", func(r *rand.Rand, i, n int) float32 { // so top-p cuts among the best 40
			if i%(n/40) == 7 {
				return 10 + float32(r.Float64())/8
			}
			return float32(r.NormFloat64())
		}},
		{"nearly flat", func(r *rand.Rand, _, _ int) float32 { return 1 + 1e-6*float32(r.NormFloat64()) }},
		{"flat", func(*rand.Rand, int, int) float32 { return 7.5 }},
	}
}

// Make returns n logits, always the same.
func (row Row) Make(n int) []float32 {
	r := rand.New(rand.NewPCG(7, 3))
	x := make([]float32, n)
	for i := range x {
		x[i] = row.Value(r, i, n)
	}
	return x
}

// find returns the task of a name.
func find(name string) (Task, error) {
	for _, t := range Tasks() {
		if t.Name == name {
			return t, nil
		}
	}
	return Task{}, fmt.Errorf("bench: no task %q", name)
}
