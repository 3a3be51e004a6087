package plot

import (
	"fmt"
	"slices"

	"gonum.org/v1/plot"

	"foretoken/results"
)

// acceptance draws, a panel a series at its largest K, how likely each draft
// position is to be kept, domain by domain.
func acceptance(s results.Summary) (figure, bool) {
	var plots []*plot.Plot
	marks := make([]plot.Thumbnailer, len(s.Domains))
	for _, one := range seriesOf(s) {
		arm := one.arms[len(one.arms)-1]
		p := newPlot(fmt.Sprintf("%s, K = %d", one.label, arm.Arm.K), "draft position", "")
		for i, name := range s.Domains {
			d, _ := arm.Domain(name)
			var points []point
			for _, at := range d.Positions {
				points = append(points, point{spread(float64(at.Index), i, len(s.Domains), .4), at.Estimate})
			}
			if m := curve(p, points, look{number: i}); m != nil {
				marks[i] = m
			}
		}
		var xs []float64
		for i := range arm.Positions {
			xs = append(xs, float64(i+1))
		}
		p.X.Min, p.X.Max = .6, float64(arm.Arm.K)+.4
		p.X.Tick.Marker = ticks(plain, xs...)
		p.Y.Min, p.Y.Max = -.05, 1.05
		p.Y.Tick.Marker = ticks(percent, 0, .2, .4, .6, .8, 1)
		plots = append(plots, p)
	}
	var legend []legendEntry
	for i, m := range marks {
		if m != nil {
			legend = append(legend, legendEntry{s.Domains[i], m})
		}
	}
	if len(legend) == 0 {
		return figure{}, false
	}
	return panels("acceptance", "Acceptance by draft position",
		"accepted / judged at a position, given that every position before was accepted; faint dots: below 5 prompts\n"+bars(s), plots, legend), true
}

// bars says what the intervals are, and of how many prompts.
func bars(s results.Summary) string {
	n := 0
	for _, a := range s.Arms {
		n = max(n, a.Prompts)
	}
	var each []string
	for _, name := range s.Domains {
		most := 0
		for _, a := range s.Arms {
			if d, ok := a.Domain(name); ok {
				most = max(most, d.Prompts)
			}
		}
		each = append(each, fmt.Sprintf("%s %d", name, most))
	}
	return fmt.Sprintf("bars: 95 %% intervals clustered by prompt, none below 5 prompts; n = %d prompts (%s)", n, join(slices.Values(each)))
}
