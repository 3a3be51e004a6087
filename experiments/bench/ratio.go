package bench

import (
	"fmt"
	"strings"

	"foretoken/stat"
)

// over divides round by round: only times of one round are comparable. It writes the median
// over the rounds, the least and the greatest.
func over(a, b []float64) string {
	var each []float64
	for i := range min(len(a), len(b)) {
		each = append(each, a[i]/b[i])
	}
	return stat.Short.Interval(stat.Rounds(each))
}

// ahead says how many times faster than every other peer this program is, and how
// many times faster a program would be that took no longer than the bound: no more
// can be had from these passes on this machine.
func (r Run) ahead() []string {
	var out []string
	task := Tasks()[0].Name
	for _, peer := range r.Peers[1:] {
		if strings.HasPrefix(peer, "foretoken") {
			continue
		}
		var rows []string
		for _, row := range Rows() {
			if times := r.medians(task, row.Name, peer); times != nil {
				rows = append(rows, fmt.Sprintf("%s %s of %s", row.Name, over(times, r.medians(task, row.Name, r.Peers[1])), over(times, r.medians(task, row.Name, r.Bound))))
			}
		}
		if rows != nil {
			out = append(out, fmt.Sprintf("on %s %s is so many times faster than %s, of so many that the bound is: %s", task, r.Peers[1], peer, strings.Join(rows, "; ")))
		}
	}
	return out
}
