package bench

import (
	"fmt"
	"slices"

	"foretoken/results"
	"foretoken/stat"
)

// Table is the run as ratios to the bound.
func (r Run) Table(host string) results.Table {
	t := results.Table{Name: "sampler", Title: fmt.Sprintf("The sampler's host path at a vocabulary of %d, in times of the bound", r.Options.Vocabulary),
		Header: []string{"task", "row", r.Bound}}
	t.Header = append(t.Header, r.Peers[1:]...)
	for _, task := range Tasks() {
		for _, row := range Rows() {
			line := []string{task.Name, row.Name}
			for _, name := range r.Peers {
				line = append(line, r.cell(task.Name, row.Name, name))
			}
			t.Rows = append(t.Rows, line)
		}
		t.Notes = append(t.Notes, task.Name+" = "+task.What)
	}
	t.Notes = append(t.Notes,
		fmt.Sprintf("the bound is in microseconds: in %s the best 40 (for logprobs 20; else the best one) and a sum of exponentials over all of the row", r.Bound),
		"below 1: of the sum a chain needs only so much as tells where top-p cuts; among the best of forty it needs all",
		fmt.Sprintf("a ratio is the median over %d interleaved rounds of medians of %d, in brackets the least and the greatest", r.Options.Rounds, r.Options.Times),
		"every peer is one process on one thread but mlx-lm's, which takes those it wants; a row is in memory before and a token id after",
		"numpy ranks by argpartition, llama.cpp begins with its candidates filled in", host)
	t.Notes = append(t.Notes, r.ahead()...)
	for _, a := range r.Absent {
		t.Notes = append(t.Notes, "not here: "+a)
	}
	return t
}

func (r Run) cell(task, row, peer string) string {
	own, bound := r.medians(task, row, peer), r.medians(task, row, r.Bound)
	switch {
	case own == nil:
		return "-"
	case peer == r.Bound:
		return fmt.Sprintf("%.1f us", stat.Median(own)/1e3)
	}
	return over(own, bound)
}

// medians are those of a cell's rounds, nil where there is none.
func (r Run) medians(task, row, peer string) []float64 {
	i := slices.IndexFunc(r.Cells, func(c Cell) bool { return c.Task == task && c.Row == row && c.Peer == peer })
	if i < 0 {
		return nil
	}
	return r.Cells[i].Medians
}
