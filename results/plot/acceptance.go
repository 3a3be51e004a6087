package plot

import (
	"fmt"

	"foretoken/results"
)

// acceptance draws, a panel a series at its largest K, how likely each draft
// position is to be kept, domain by domain.
func acceptance(s results.Summary) chart {
	c := chart{name: "acceptance", title: "Acceptance by draft position", xLabel: "draft position", format: percent, low: 0, high: 1, level: none,
		note: results.Defined("position_acceptance").Text + "; faint dots: below 5 prompts\n" + bars(s)}
	for _, one := range seriesOf(s) {
		arm := one.longest()
		p := panel{title: fmt.Sprintf("%s, K = %d", one.label, arm.Arm.K)}
		for i, name := range s.Domains {
			l := line{name: name, look: look{number: i}, aside: spread(i, len(s.Domains), .4)}
			for _, f := range arm.InDomain(name) {
				if f.Name == "position_acceptance" {
					l.points = append(l.points, point{x: float64(f.Position), e: f.Value})
				}
			}
			p.lines = append(p.lines, l)
		}
		c.panels = append(c.panels, p)
	}
	return c
}
