// Package decode times decoding with a model beside llama.cpp, on the same weights and
// prompts, in interleaved rounds of one run.
package decode

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
)

// A Task is something that is timed.
type Task struct {
	Name, What string
	Rows       int  // of one forward; 0 is decoding a token at a time
	Prefill    bool // from an empty cache
	Prompts    bool // on texts, to their end
}

// Decode is how many tokens are decoded in a sample.
const Decode = 32

// Tasks are of a model on its own; Speculation is of a pair, on texts.
func Tasks(prefill int) []Task {
	return []Task{
		{Name: "token", What: fmt.Sprintf("a token of greedy decoding, of %d in a row", Decode)},
		{Name: "5 rows", What: "a forward of 5 rows: a verify of 4 drafted tokens", Rows: 5},
		{Name: "9 rows", What: "a forward of 9 rows: a verify of 8", Rows: 9},
		{Name: "prefill", What: fmt.Sprintf("a token of a prompt of %d, from an empty cache", prefill), Rows: prefill, Prefill: true},
	}
}

// Speculation is greedy decoding of texts.
var Speculation = Task{Name: "text", What: "a token of greedy decoding of the texts, prefill left out", Prompts: true}

// An Arm is who is timed: the milliseconds that a task takes, or a token of it.
type Arm struct {
	Name  string
	Tasks []Task
	Time  func(ctx context.Context, t Task) (ms float64, err error)
}

// A Sample is one time of one arm.
type Sample struct {
	Arm, Task string
	Round     int
	MS        float64 `json:"ms"`
}

// Run takes rounds of every task of every arm, in a random order within a round.
func Run(ctx context.Context, arms []Arm, rounds int, seed uint64) (samples []Sample, err error) {
	type cell struct {
		arm  Arm
		task Task
	}
	var cells []cell
	for _, a := range arms {
		for _, t := range a.Tasks {
			cells = append(cells, cell{a, t})
		}
	}
	r := rand.New(rand.NewPCG(seed, 1))
	for round := range rounds {
		for _, i := range r.Perm(len(cells)) {
			c := cells[i]
			ms, err := c.arm.Time(ctx, c.task)
			if err == nil {
				err = ctx.Err()
			}
			if err != nil {
				return samples, fmt.Errorf("bench: %s, %s: %w", c.arm.Name, c.task.Name, err)
			}
			samples = append(samples, Sample{c.arm.Name, c.task.Name, round, ms})
		}
	}
	return samples, nil
}

// median of a set; 0 where there is nothing.
func median(x []float64) float64 {
	if len(x) == 0 {
		return 0
	}
	x = slices.Sorted(slices.Values(x))
	return x[(len(x)-1)/2]
}
