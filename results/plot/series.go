package plot

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"foretoken/results"
)

// A series is a results.Series with its arms, by K.
type series struct {
	of    results.Series
	label string
	arms  []results.ArmSummary
}

// seriesOf groups the arms of a summary, controls left out.
func seriesOf(s results.Summary) []series {
	var out []series
	for _, a := range s.Arms {
		if a.Arm.Control() {
			continue
		}
		key := a.Arm.Series()
		i := slices.IndexFunc(out, func(one series) bool { return one.of == key })
		if i < 0 {
			i, out = len(out), append(out, series{of: key, label: s.Names.Series(key)})
		}
		out[i].arms = append(out[i].arms, a)
	}
	for _, one := range out {
		slices.SortFunc(one.arms, func(a, b results.ArmSummary) int { return cmp.Compare(a.Arm.K, b.Arm.K) })
	}
	return out
}

// longest is the arm of the largest K.
func (s series) longest() results.ArmSummary { return s.arms[len(s.arms)-1] }

// draftersOf lists the drafters of a set of series, in order.
func draftersOf(all []series) []string {
	var out []string
	for _, one := range all {
		if !slices.Contains(out, one.of.Drafter) {
			out = append(out, one.of.Drafter)
		}
	}
	return out
}

// bars says what was measured, what the intervals are, and of how many prompts.
func bars(s results.Summary) string {
	n := 0
	for _, a := range s.Arms {
		n = max(n, int(a.Figure("prompts").Value.Value))
	}
	var each []string
	for _, name := range s.Domains {
		most := 0
		for _, a := range s.Arms {
			for _, f := range a.InDomain(name) {
				if f.Name == "prompts" {
					most = max(most, int(f.Value.Value))
				}
			}
		}
		each = append(each, fmt.Sprintf("%s %d", name, most))
	}
	return fmt.Sprintf("bars: 95 %% intervals clustered by prompt, none below 5 prompts; n = %d prompts (%s)\n%s", n, strings.Join(each, ", "), s.Measured())
}
