package parity

import (
	"fmt"
	"os"
	"strings"

	"foretoken/results"
	"foretoken/stat"
)

// Speed is tokens a second, over all requests.
func (a Arm) Speed() float64 {
	tokens, seconds := 0, 0.0
	for _, r := range a.Runs {
		tokens, seconds = tokens+r.Tokens, seconds+r.Seconds
	}
	return float64(tokens) / seconds
}

// Over is how many times as fast a is as b, paired by prompt.
func (a Arm) Over(b Arm) stat.Interval {
	at := 0
	return stat.Positive(stat.Clusters(a.Runs, func(r Run) (string, stat.Cluster) {
		of := b.Runs[at]
		at++
		return r.Prompt, stat.Cluster{Y: of.Seconds * float64(r.Tokens) / float64(of.Tokens), X: r.Seconds}
	}))
}

// Best is the fastest of mlx-lm's arms.
func (t Times) Best() Arm {
	best := t.Arms[0]
	for _, a := range t.Arms {
		if a.Peer && a.Speed() > best.Speed() {
			best = a
		}
	}
	return best
}

// Table is the race.
func (t Times) Table() results.Table {
	best := t.Best()
	table := results.Table{Name: "speed", Title: "Speed against mlx-lm", Header: []string{"arm", "tokens/s", "over mlx-lm", "over its best", "same text"},
		Notes: []string{
			fmt.Sprintf("greedy, %d tokens a prompt, %d times; what follows the first tokens to arrive; every arm warmed, then prompt by prompt in turn", t.Config.MaxTokens, t.Repeats),
			"over: how many times as fast, paired by prompt, with a 95 % interval from 5 prompts; ~ where it holds 1 or is missing; its best is " + best.Label,
			"same text: requests whose every token is that of mlx-lm's plain decoding",
		}}
	if t.Load != "" {
		table.Notes = append(table.Notes, "load of the machine: "+t.Load)
	}
	table.Notes = append(table.Notes, t.Made.notes()...)
	for _, a := range t.Arms {
		same := 0
		for _, r := range a.Runs {
			if r.Same {
				same++
			}
		}
		table.Rows = append(table.Rows, []string{a.Label, fmt.Sprintf("%.1f", a.Speed()), stat.Over.Interval(a.Over(t.Arms[0])), stat.Over.Interval(a.Over(best)), fmt.Sprintf("%d/%d", same, len(a.Runs))})
	}
	return table
}

// load is the machine's load average, where it has a file of it.
func load() string {
	b, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		return ""
	}
	return strings.Fields(string(b))[0]
}
