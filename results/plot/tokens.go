package plot

import (
	"cmp"
	"slices"

	"foretoken/results"
)

// tokensPerRound draws, a panel for each rule, temperature and constraint, how many tokens a
// round emits against K, a line a drafter.
func tokensPerRound(s results.Summary) chart {
	c := chart{name: "tokens-per-round", title: "Tokens per round", xLabel: "draft length K", yLabel: "tokens per round", format: plain, level: 1,
		note: results.Defined("tokens_per_round").Text + "; plain decoding has 1\n" + bars(s)}
	all := seriesOf(s)
	drafters := draftersOf(all)
	for _, one := range all {
		key := one.of
		key.Drafter = ""
		title := cmp.Or(s.Names.Series(key), s.Names.Common)
		at := slices.IndexFunc(c.panels, func(p panel) bool { return p.title == title })
		if at < 0 {
			at, c.panels = len(c.panels), append(c.panels, panel{title: title})
		}
		i := slices.Index(drafters, one.of.Drafter)
		l := line{name: one.of.Drafter, look: look{number: i}, aside: spread(i, len(drafters), .15)}
		for _, a := range one.arms {
			l.points = append(l.points, point{x: float64(a.Arm.K), e: a.Figure("tokens_per_round").Value})
		}
		c.panels[at].lines = append(c.panels[at].lines, l)
	}
	return c
}
