package cost

import (
	"fmt"

	"foretoken/results"
	"foretoken/stat"
)

// Table is t(n).
func (c Curve) Table(name string) results.Table {
	t := results.Table{Name: "cost", Title: "Verify cost of " + name, Header: []string{"n", "t(n)", "t(n)/t(1)", "rows/t(1)"},
		Notes: []string{fmt.Sprintf("t(n) = a forward of n rows after %d tokens, to the best id of each: median of %d, in turns; every shape was computed twice before", c.Context, len(c.turns())),
			"rows/t(1) = n / (t(n)/t(1)): the most that a round could gain, if all its rows were kept and drafts were free",
			"brackets: 95 % by resampling the turns"}}
	for n := 1; n <= c.Rows(); n++ {
		r := c.Ratio(n)
		t.Rows = append(t.Rows, []string{fmt.Sprint(n), fmt.Sprintf("%.2f ms", c.Time(n).Seconds()*1e3), stat.Plain.Interval(r), fmt.Sprintf("%.2f", float64(n)/r.Value)})
	}
	return t
}

// Table is what a pair comes to.
func Table(c Curve, a Agreement, fs []Forecast) results.Table {
	from := "as given"
	if n := a.All(); n > 0 {
		from = fmt.Sprintf("over %d tokens of the target's own greedy text, %d texts", n, len(a.Tokens))
	}
	t := results.Table{Name: "forecast", Title: "Expected of the pair", Header: []string{"K", "tokens/round", "cost of a round", "speed-up", "breaks even at"},
		Notes: []string{
			fmt.Sprintf("a = %.3f, the chance that the draft's best id is the target's, %s; c = %.3f, a forward of the draft in t(1)", a.value(a.texts()), from, c.draft(c.turns())),
			"tokens/round = (1-a^(K+1))/(1-a); cost = K*c + t(K+1)/t(1); greedy decoding",
			"brackets: 95 % by resampling the turns and the texts; ~ where they hold 1 or are missing",
		}}
	for _, f := range fs {
		even := fmt.Sprintf("a = %.3f", f.BreakEven)
		if f.BreakEven > 1 {
			even = "never"
		}
		t.Rows = append(t.Rows, []string{fmt.Sprint(f.K), fmt.Sprintf("%.2f", f.Tokens), fmt.Sprintf("%.2f", f.Round), stat.Speedup.Interval(f.Speedup), even})
	}
	return t
}
