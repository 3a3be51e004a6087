package bench

import (
	"fmt"
	"slices"
	"strings"
)

// A ratio is of two peers' times: the median over the rounds, the least, the greatest.
type ratio struct{ middle, low, high float64 }

// over divides round by round: only times of one round are comparable.
func over(a, b []float64) ratio {
	var each []float64
	for i := range min(len(a), len(b)) {
		each = append(each, a[i]/b[i])
	}
	return ratio{median(each), slices.Min(each), slices.Max(each)}
}

func (x ratio) String() string {
	return fmt.Sprintf("%s [%s, %s]", short(x.middle), short(x.low), short(x.high))
}

func short(x float64) string {
	if x < 10 {
		return fmt.Sprintf("%.2f", x)
	}
	return fmt.Sprintf("%.0f", x)
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
				rows = append(rows, fmt.Sprintf("%s %v of %v", row.Name, over(times, r.medians(task, row.Name, r.Peers[1])), over(times, r.medians(task, row.Name, r.Bound))))
			}
		}
		if rows != nil {
			out = append(out, fmt.Sprintf("on %s %s is so many times faster than %s, of so many that the bound is: %s", task, r.Peers[1], peer, strings.Join(rows, "; ")))
		}
	}
	return out
}
