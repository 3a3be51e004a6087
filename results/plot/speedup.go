package plot

import (
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"

	"foretoken/results"
)

// speedup draws, a panel a series, the measured speed-up against K beside what
// the acceptances and costs lead one to expect.
func speedup(s results.Summary) (figure, bool) {
	all := seriesOf(s)
	var plots []*plot.Plot
	var legend []legendEntry
	var ys []float64
	ks := lengths(all)
	for _, one := range all {
		p := newPlot(one.label, "draft length K", "speed-up")
		p.Add(level(1, ks))
		var measured, expected, leviathan []point
		for _, a := range one.arms {
			k := float64(a.Arm.K)
			measured = append(measured, point{k, a.Speedup})
			expected = append(expected, bare(k, a.Expected))
			leviathan = append(leviathan, bare(k, a.Leviathan))
			ys = append(ys, a.Speedup.Value, a.Speedup.Low, a.Speedup.High, a.Expected, a.Leviathan)
		}
		dotted := curve(p, leviathan, look{number: 1, dashes: []vg.Length{vg.Points(1.5), vg.Points(3)}})
		dashed := curve(p, expected, look{number: 2, dashes: []vg.Length{vg.Points(6), vg.Points(3)}})
		solid := curve(p, measured, look{number: 0})
		if len(legend) < 3 {
			legend = nil
			for _, e := range []legendEntry{{"measured", solid}, {"expected, costs as measured", dashed}, {"Leviathan's, a verify for one step", dotted}} {
				if e.mark != nil {
					legend = append(legend, e)
				}
			}
		}
		p.X.Min, p.X.Max = ks[0]-.5, ks[len(ks)-1]+.5
		p.X.Tick.Marker = ticks(plain, ks...)
		plots = append(plots, p)
	}
	if len(legend) == 0 {
		return figure{}, false
	}
	sharedY(plots, func(v float64) string { return plain(v) + "x" }, 1, ys)
	return panels("speedup", "Speed-up over plain decoding",
		formulas+"\n"+bars(s), plots, legend), true
}

// formulas say what the curves are, each on a line that fits two panels.
const formulas = "measured: time of the control's rounds / of the arm's for as many tokens, paired by prompt\n" +
	"expected: sum of (1 + a1 + ... + a1*...*ad) / sum of (d*c + t(d+1)/t(1)), a round drafting d\n" +
	"Leviathan's: (1-a^(K+1)) / ((1-a)(K*c+1))"

// level is a thin line at y.
func level(y float64, ks []float64) *plotter.Line {
	l, err := plotter.NewLine(plotter.XYs{{X: ks[0] - .5, Y: y}, {X: ks[len(ks)-1] + .5, Y: y}})
	must(err)
	l.Color, l.Width = soft, vg.Points(1)
	return l
}
