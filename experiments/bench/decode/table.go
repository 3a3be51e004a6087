package decode

import (
	"fmt"
	"slices"

	"foretoken/results"
	"foretoken/stat"
)

// A Comparison is one arm at one task.
type Comparison struct {
	Task, Arm string
	MS        float64       // median
	First     stat.Interval // times the first arm's of the task, in the same round
	Token     stat.Interval // times the arm's own token, in the same round
}

// Compare is every arm at every task, task by task.
func Compare(arms []Arm, samples []Sample) (out []Comparison) {
	for _, t := range tasksOf(arms) {
		if t.Text != nil {
			continue
		}
		first := ""
		for _, a := range arms {
			if !slices.Contains(a.Tasks, t) {
				continue
			}
			if first == "" {
				first = a.Name
			}
			token := "token"
			if t == Start {
				token = "" // which is of no number of tokens
			}
			out = append(out, Comparison{Task: t.Name, Arm: a.Name, MS: stat.Median(times(samples, a.Name, t.Name)),
				First: ratio(samples, a.Name, t.Name, first, t.Name), Token: ratio(samples, a.Name, t.Name, a.Name, token)})
		}
	}
	return out
}

// Table lays a comparison out.
func Table(model string, arms []Arm, cs []Comparison, notes ...string) results.Table {
	t := results.Table{Name: "decode", Title: "Decoding with " + model, Header: []string{"task", "arm", "time", "times the first", "t/t(1)"}}
	for _, c := range cs {
		t.Rows = append(t.Rows, []string{c.Task, c.Arm, fmt.Sprintf("%.2f ms", c.MS), stat.Plain.Interval(c.First), stat.Plain.Interval(c.Token)})
	}
	for _, task := range tasksOf(arms) {
		if task.Text == nil {
			t.Notes = append(t.Notes, task.Name+" = "+task.What)
		}
	}
	t.Notes = append(t.Notes, "time = median of the rounds, in which arms and tasks take turns in a random order",
		"times the first = to the first arm of the task, in the same round: median, in brackets the least and the greatest",
		"t/t(1) = so, to the same arm's token")
	t.Notes = append(t.Notes, notes...)
	return t
}

func times(samples []Sample, arm, task string) (ms []float64) {
	for _, s := range samples {
		if s.Arm == arm && s.Task == task {
			ms = append(ms, s.MS)
		}
	}
	return ms
}

// ratio is over the rounds that have both.
func ratio(samples []Sample, arm, task, toArm, toTask string) stat.Interval {
	var r []float64
	for _, a := range samples {
		for _, b := range samples {
			if a.Round == b.Round && a.N == b.N && a.Arm == arm && a.Task == task && b.Arm == toArm && b.Task == toTask {
				r = append(r, a.MS/b.MS)
			}
		}
	}
	return stat.Rounds(r)
}
