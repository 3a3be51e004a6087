package cost

import (
	"fmt"

	"foretoken/results"
)

// Table is t(n).
func (c Curve) Table(name string) results.Table {
	t := results.Table{Name: "cost", Title: "Verify cost of " + name, Header: []string{"n", "t(n)", "t(n)/t(1)", "rows/t(1)"},
		Notes: []string{fmt.Sprintf("t(n) = a forward of n rows after %d tokens, to the best id of each: median; every shape was computed twice before", c.Context),
			"rows/t(1) = n / (t(n)/t(1)): what a round could gain at most, were all its rows kept and drafts free"}}
	for i, d := range c.Times {
		t.Rows = append(t.Rows, []string{fmt.Sprint(i + 1), fmt.Sprintf("%.2f ms", d.Seconds()*1e3), fmt.Sprintf("%.2f", c.Ratio(i+1)), fmt.Sprintf("%.2f", float64(i+1)/c.Ratio(i+1))})
	}
	return t
}

// Table is what a pair comes to.
func Table(fs []Forecast, p Pair) results.Table {
	from := "as given"
	if p.Tokens > 0 {
		from = fmt.Sprintf("over %d tokens of the target's own greedy text", p.Tokens)
	}
	t := results.Table{Name: "forecast", Title: "Expected of the pair", Header: []string{"K", "tokens/round", "cost of a round", "speed-up", "breaks even at"},
		Notes: []string{
			fmt.Sprintf("a = %.3f, the chance that the draft's best id is the target's, %s; c = %.3f, a forward of the draft in t(1)", p.Agreement, from, p.Draft),
			"tokens/round = (1-a^(K+1))/(1-a); cost = K*c + t(K+1)/t(1); greedy decoding",
		}}
	for _, f := range fs {
		even := fmt.Sprintf("a = %.3f", f.BreakEven)
		if f.BreakEven > 1 {
			even = "never"
		}
		t.Rows = append(t.Rows, []string{fmt.Sprint(f.K), fmt.Sprintf("%.2f", f.Tokens), fmt.Sprintf("%.2f", f.Round), fmt.Sprintf("%.2fx", f.Speedup), even})
	}
	return t
}

// Verdict says in a line whether the pair pays.
func Verdict(fs []Forecast) string {
	best := Best(fs)
	if best.Speedup <= 1 {
		return fmt.Sprintf("does not pay: at the best K, %d, the expected speed-up is %.2fx", best.K, best.Speedup)
	}
	return fmt.Sprintf("pays: %.2fx expected at K = %d", best.Speedup, best.K)
}
