package plot

import (
	"gonum.org/v1/plot/vg"

	"foretoken/results"
)

// speedup draws, a panel a series, the measured speed-up against K beside the two
// expectations from acceptance and costs. A speed-up that the data do not resolve is hollow.
func speedup(s results.Summary) chart {
	c := chart{name: "speedup", title: "Speed-up over plain decoding", xLabel: "draft length K", yLabel: "speed-up", level: 1,
		format: func(v float64) string { return plain(v) + "x" }, note: formulas + "\n" + bars(s)}
	for _, one := range seriesOf(s) {
		measured := line{name: "measured (hollow: the interval holds 1)", look: look{number: 0}}
		expected := line{name: "expected, costs as measured", look: look{number: 2, dashes: []vg.Length{vg.Points(6), vg.Points(3)}}}
		leviathan := line{name: "Leviathan's, a verify costs one step", look: look{number: 1, dashes: []vg.Length{vg.Points(1.5), vg.Points(3)}}}
		for _, a := range one.arms {
			k := float64(a.Arm.K)
			is := a.Figure("speedup").Value
			measured.points = append(measured.points, point{x: k, e: is, doubtful: is.Bounded() && !is.Resolved(1)})
			expected.points = append(expected.points, point{x: k, e: a.Figure("expected_speedup").Value})
			leviathan.points = append(leviathan.points, point{x: k, e: a.Figure("leviathan_speedup").Value})
		}
		c.panels = append(c.panels, panel{one.label, []line{leviathan, expected, measured}})
	}
	return c
}

// formulas say what the curves are, each on a line that fits two panels.
const formulas = "measured: time of the control's rounds / of the arm's for as many tokens, paired by prompt\n" +
	"expected: sum of (1 + a1 + ... + a1*...*ad) / sum of (d*c + t(d+1)/t(1)), a round drafting d\n" +
	"Leviathan's: (1-a^(K+1)) / ((1-a)(K*c+1))"
