package plot

import (
	"cmp"
	"fmt"
	"slices"

	"foretoken/results"
)

// A series is one drafter under one rule at one temperature, by K.
type series struct {
	label string // tells it from the others of the run
	rule  string // verifier and temperature
	arms  []results.ArmSummary
}

// seriesOf groups the arms of a summary, controls left out.
func seriesOf(s results.Summary) []series {
	var out []series
	at := map[string]int{}
	rules := map[string]bool{}
	for _, a := range s.Arms {
		if a.Arm.Control() {
			continue
		}
		rule := fmt.Sprintf("%s, T = %v", a.Arm.Verifier, a.Arm.Temperature)
		key := a.Arm.Drafter + "\x00" + rule
		if _, ok := at[key]; !ok {
			at[key] = len(out)
			out = append(out, series{label: a.Arm.Drafter, rule: rule})
			rules[rule] = true
		}
		out[at[key]].arms = append(out[at[key]].arms, a)
	}
	for i := range out {
		slices.SortFunc(out[i].arms, func(a, b results.ArmSummary) int { return cmp.Compare(a.Arm.K, b.Arm.K) })
		if len(rules) > 1 {
			out[i].label += " (" + out[i].rule + ")"
		}
	}
	return out
}

// lengths are the K of a set of series, ascending.
func lengths(all []series) []float64 {
	var ks []float64
	for _, s := range all {
		for _, a := range s.arms {
			if k := float64(a.Arm.K); !slices.Contains(ks, k) {
				ks = append(ks, k)
			}
		}
	}
	slices.Sort(ks)
	return ks
}
