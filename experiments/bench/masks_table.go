package bench

import (
	"fmt"
	"time"

	"foretoken/results"
	"foretoken/stat"
)

// Table is the run, and this program's times over the better of its peers.
func (run MaskRun) Table(host string) results.Table {
	t := results.Table{Name: "masks", Title: "Masks of JSON at a vocabulary of 151936", Header: append([]string{"of", "what"}, run.Peers...)}
	if len(run.Peers) > 1 {
		t.Header = append(t.Header, "of the better peer's")
	}
	seen := map[string]bool{}
	for _, c := range run.Cells {
		if seen[c.Kind] {
			continue
		}
		seen[c.Kind] = true
		if len(seen) == 1 {
			t.Rows = append(t.Rows, run.line("tokenizer", "vocabulary", c.Kind, func(c MaskCell) []float64 { return []float64{c.Vocabulary} }))
		}
		t.Rows = append(t.Rows,
			run.line(c.Kind, "engine, median", c.Kind, func(c MaskCell) []float64 { return c.Engine }),
			run.line(c.Kind, "mask, median", c.Kind, func(c MaskCell) []float64 { return c.Median }),
			run.line(c.Kind, "mask, p99", c.Kind, func(c MaskCell) []float64 { return c.P99 }))
		t.Notes = append(t.Notes, fmt.Sprintf("%s: %d cases, %d masks a round", c.Kind, c.Cases, c.Masks))
	}
	t.Notes = append(t.Notes,
		"functions: parameters of BFCL's functions with the arguments of its answers; documents: any object, by descriptions of functions in three spacings",
		fmt.Sprintf("times are medians over %d rounds, case by case in turns; a ratio's brackets are the least and the greatest of a round", run.Options.Rounds),
		"every engine is made anew in every round: foretoken finds the masks along two texts of the schema then, xgrammar those of its states; llguidance begins each text anew",
		"of the peers a call from Python is part", host)
	for _, a := range run.Absent {
		t.Notes = append(t.Notes, "not here: "+a)
	}
	if n := len(run.Refused); n > 0 {
		t.Notes = append(t.Notes, fmt.Sprintf("%d cases left out, as not every peer follows them; %s", n, run.Refused[0]))
	}
	return t
}

// line is one measure of every peer on cases of a kind.
func (run MaskRun) line(of, what, kind string, measure func(MaskCell) []float64) []string {
	out := []string{of, what}
	var own, better []float64
	for _, name := range run.Peers {
		for _, c := range run.Cells {
			if c.Kind != kind || c.Peer != name {
				continue
			}
			x := measure(c)
			out = append(out, stat.Duration(time.Duration(stat.Median(x))))
			switch {
			case name == run.Peers[0]:
				own = x
			case better == nil || stat.Median(x) < stat.Median(better):
				better = x
			}
		}
	}
	if better != nil {
		out = append(out, over(own, better))
	}
	return out
}
