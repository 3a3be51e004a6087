package decode

import (
	"fmt"
	"maps"
	"math"
	"slices"

	"foretoken/results"
	"foretoken/stat"
)

// A TextComparison holds arms against one of them on texts.
type TextComparison struct {
	Domains []string
	Arms    []TextArm
	Base    string // the peer's best arm over all domains, or this program's first where there is no peer
	Best    string // this program's best
}

// A TextArm is one arm.
type TextArm struct {
	Name        string
	Own         bool
	MS          float64         // a token, mean of the domains
	Times       []stat.Interval // times as fast as the base, by domain
	Always      []bool          // by domain: every text faster than the base, or every text slower
	All         stat.Interval   // over the domains, each of one weight
	AllAlways   bool
	Same, Texts int // texts of the plain decoding's tokens in every round, of those decoded
}

// CompareTexts pairs arms with the base text by text: a text's time is the mean of its
// rounds, a domain's that of its texts, and all domains weigh the same. Clusters are
// the texts.
func CompareTexts(arms []Arm, texts []Text, samples []Sample) TextComparison {
	by := timesOf(samples)
	c := TextComparison{}
	count := map[string]int{}
	for _, t := range texts {
		if count[t.Domain]++; count[t.Domain] == 1 {
			c.Domains = append(c.Domains, t.Domain)
		}
	}
	weight := func(t Text) float64 { return 1 / float64(count[t.Domain]*len(c.Domains)) }
	for _, a := range arms {
		if len(by[a.Name]) == 0 {
			continue
		}
		out := TextArm{Name: a.Name, Own: a.Own}
		for _, t := range texts {
			out.MS += weight(t) * by[a.Name].mean(t.ID) // NaN where it is missing
		}
		out.Same, out.Texts = sameTexts(a.Name, samples)
		c.Arms = append(c.Arms, out)
	}
	c.Base, c.Best = fastest(c.Arms, false), fastest(c.Arms, true)
	if c.Base == "" && len(c.Arms) > 0 {
		c.Base = c.Arms[0].Name
	}
	for i := range c.Arms {
		a := &c.Arms[i]
		cluster := func(t Text) stat.Cluster {
			y, x := pairs(by[c.Base][t.ID], by[a.Name][t.ID])
			return stat.Cluster{Y: weight(t) * y, X: weight(t) * x}
		}
		var all []stat.Cluster
		for _, d := range c.Domains {
			var some []stat.Cluster
			for _, t := range texts {
				if t.Domain == d {
					some = append(some, cluster(t))
				}
			}
			a.Times, a.Always, all = append(a.Times, stat.Positive(some)), append(a.Always, always(some)), append(all, some...)
		}
		a.All, a.AllAlways = stat.Positive(all), always(all)
	}
	return c
}

// textTimes are milliseconds a token, by text and round.
type textTimes map[string]map[int]float64

func timesOf(samples []Sample) map[string]textTimes {
	by := map[string]textTimes{}
	for _, s := range samples {
		if s.Text == "" {
			continue
		}
		if by[s.Arm] == nil {
			by[s.Arm] = textTimes{}
		}
		if by[s.Arm][s.Text] == nil {
			by[s.Arm][s.Text] = map[int]float64{}
		}
		by[s.Arm][s.Text][s.Round] = s.MS
	}
	return by
}

func (t textTimes) mean(text string) float64 {
	var each []float64
	for _, round := range slices.Sorted(maps.Keys(t[text])) { // in order: sums have one rounding
		each = append(each, t[text][round])
	}
	return stat.Mean(each)
}

// pairs are the means over the rounds that both have.
func pairs(base, arm map[int]float64) (y, x float64) {
	var ys, xs []float64
	for _, round := range slices.Sorted(maps.Keys(arm)) {
		if b, ok := base[round]; ok {
			ys, xs = append(ys, b), append(xs, arm[round])
		}
	}
	if len(xs) == 0 {
		return 0, 0
	}
	return stat.Mean(ys), stat.Mean(xs)
}

// always reports whether all lie on one side of 1.
func always(clusters []stat.Cluster) bool {
	faster, slower := 0, 0
	for _, c := range clusters {
		if c.Y > c.X {
			faster++
		} else if c.Y < c.X {
			slower++
		}
	}
	return len(clusters) > 0 && max(faster, slower) == len(clusters)
}

func sameTexts(arm string, samples []Sample) (same, texts int) {
	differs := map[string]bool{}
	for _, s := range samples {
		if s.Arm == arm && s.Text != "" {
			differs[s.Text] = differs[s.Text] || !s.Same
		}
	}
	for _, d := range differs {
		if !d {
			same++
		}
	}
	return same, len(differs)
}

// fastest is the arm of the least time over all domains, "" where there is none.
func fastest(arms []TextArm, own bool) string {
	name, least := "", math.Inf(1)
	for _, a := range arms {
		if a.Own == own && a.MS < least {
			name, least = a.Name, a.MS
		}
	}
	return name
}

// Arm finds an arm by its name.
func (c TextComparison) Arm(name string) TextArm {
	i := slices.IndexFunc(c.Arms, func(a TextArm) bool { return a.Name == name })
	if i < 0 {
		return TextArm{}
	}
	return c.Arms[i]
}

// Verdict is the comparison in a line.
func (c TextComparison) Verdict() string {
	best := c.Arm(c.Best)
	if best.Name == "" || best.Name == c.Base {
		return "nothing to hold the best arm against"
	}
	return fmt.Sprintf("%s is %s as fast as %s, the best other, over all domains; its tokens are those of plain decoding on %d of %d texts",
		best.Name, stat.Speedup.Interval(best.All), c.Base, best.Same, best.Texts)
}

// Table lays the comparison out.
func (c TextComparison) Table(model string, notes ...string) results.Table {
	t := results.Table{Name: "texts", Title: "Greedy text with " + model, Header: []string{"arm", "a token"}}
	t.Header = append(append(t.Header, c.Domains...), "all domains", "same text")
	for _, a := range c.Arms {
		row := []string{a.Name, fmt.Sprintf("%.2f ms", a.MS)}
		for _, e := range a.Times {
			row = append(row, stat.Speedup.Interval(e))
		}
		t.Rows = append(t.Rows, append(row, stat.Speedup.Interval(a.All), fmt.Sprintf("%d of %d", a.Same, a.Texts)))
	}
	t.Notes = append(t.Notes, c.Verdict(),
		"a token = mean over the rounds, then the texts, then the domains; prefill left out",
		"domains = times as fast as "+c.Base+", paired by text and round; 95 % intervals clustered by text (t on n-1 below 20, bootstrap from 20, none below 5); ~ where the interval holds 1 or is missing",
		"same text = texts that are this program's plain decoding in every round: token by token for its own arms, letter by letter for another's. One that departs by its own rounding decodes as many tokens, of another text; times are a token's")
	t.Notes = append(t.Notes, notes...)
	return t
}
