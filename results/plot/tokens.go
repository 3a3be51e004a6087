package plot

import (
	"iter"
	"slices"
	"strings"

	"gonum.org/v1/plot"

	"foretoken/results"
)

// tokensPerRound draws, a panel a rule, what a round emits against K.
func tokensPerRound(s results.Summary) (figure, bool) {
	all := seriesOf(s)
	var rules, drafters []string
	for _, one := range all {
		if !slices.Contains(rules, one.rule) {
			rules = append(rules, one.rule)
		}
		if d := one.arms[0].Arm.Drafter; !slices.Contains(drafters, d) {
			drafters = append(drafters, d)
		}
	}
	var plots []*plot.Plot
	var legend []legendEntry
	var ys []float64
	ks := lengths(all)
	for _, rule := range rules {
		p := newPlot(rule, "draft length K", "tokens per round")
		for _, one := range all {
			if one.rule != rule {
				continue
			}
			name := one.arms[0].Arm.Drafter
			i := slices.Index(drafters, name)
			var points []point
			for _, a := range one.arms {
				points = append(points, point{spread(float64(a.Arm.K), i, len(drafters), .15), a.PerRound})
				ys = append(ys, a.PerRound.Value, a.PerRound.Low, a.PerRound.High)
			}
			m := curve(p, points, look{number: i})
			if m != nil && !slices.ContainsFunc(legend, func(e legendEntry) bool { return e.name == name }) {
				legend = append(legend, legendEntry{name, m})
			}
		}
		p.X.Min, p.X.Max = ks[0]-.5, ks[len(ks)-1]+.5
		p.X.Tick.Marker = ticks(plain, ks...)
		plots = append(plots, p)
	}
	if len(legend) == 0 {
		return figure{}, false
	}
	sharedY(plots, plain, 1, ys)
	return panels("tokens-per-round", "Tokens per round", "emitted / rounds, the target's own token counted; plain decoding has 1\n"+bars(s), plots, legend), true
}

func join(parts iter.Seq[string]) string { return strings.Join(slices.Collect(parts), ", ") }
