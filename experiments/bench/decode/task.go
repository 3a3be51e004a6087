// Package decode times decoding with a model beside peers, on the same weights and
// texts, in interleaved rounds of one run.
package decode

import (
	"context"
	"fmt"

	"foretoken/model"
)

// A Task is something that is timed.
type Task struct {
	Name, What string
	Rows       int   // of one forward; 0 is decoding a token at a time
	Prefill    bool  // from an empty cache
	Text       *Text // greedy decoding of it; nil for the tasks of a model on its own
	Each       int   // samples a round; 0 is 1
}

// A Text is begun by a prompt and decoded greedily.
type Text struct {
	ID, Domain string
	Prompt     []model.Token
	Said       string        // the prompt as it is written, control tokens by their names
	Want       []model.Token // plain decoding of this program
	Wanted     string        // the same, written as Said is
}

// Decode is how many tokens are decoded in a sample of the task token.
const Decode = 32

// Tasks are of a model on its own.
func Tasks(prefill int) []Task {
	return []Task{
		{Name: "token", What: fmt.Sprintf("a token of greedy decoding, of %d in a row", Decode)},
		{Name: "5 rows", What: "a forward of 5 rows: a verify of 4 drafted tokens", Rows: 5},
		{Name: "9 rows", What: "a forward of 9 rows: a verify of 8", Rows: 9},
		{Name: "prefill", What: fmt.Sprintf("a token of a prompt of %d, from an empty cache", prefill), Rows: prefill, Prefill: true},
	}
}

// TextTasks has a task for each text.
func TextTasks(texts []Text) (tasks []Task) {
	for i := range texts {
		tasks = append(tasks, Task{Name: "text", What: "a token of greedy decoding of the texts, prefill left out", Text: &texts[i]})
	}
	return tasks
}

// An Arm is who is timed.
type Arm struct {
	Name  string
	Own   bool // this program
	Tasks []Task
	Time  func(ctx context.Context, t Task) (Measure, error)
}

// A Measure is what a task took.
type Measure struct {
	MS     float64 `json:"ms"`               // of the task, or of a token of it
	Tokens int     `json:"tokens,omitempty"` // that were decoded
	Same   bool    `json:"same,omitempty"`   // a text: as far as both go, that of this program's plain decoding
}

// A Sample is one time of one arm.
type Sample struct {
	Key     `json:"sample"`
	Measure `json:"measure"`
}

// A Key says which sample it is.
type Key struct {
	Arm   string `json:"arm"`
	Task  string `json:"task"`
	Text  string `json:"text,omitempty"`
	Round int    `json:"round"`
	N     int    `json:"n,omitempty"` // within the round
}

// key of a sample of t.
func (t Task) key(arm string, round, n int) Key {
	k := Key{Arm: arm, Task: t.Name, Round: round, N: n}
	if t.Text != nil {
		k.Text = t.Text.ID
	}
	return k
}
