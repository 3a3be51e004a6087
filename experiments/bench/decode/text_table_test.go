package decode

import (
	"fmt"
	"math"
	"strings"
	"testing"
)

// speeds makes samples of texts in two domains, two in one and eight in the other; ms
// gives a text's time in a round.
func speeds(arm string, rounds int, ms func(domain, text, round int) float64) (texts []Text, samples []Sample) {
	for d, n := range []int{2, 8} {
		for i := range n {
			t := Text{ID: fmt.Sprintf("%d-%d", d, i), Domain: fmt.Sprint("d", d)}
			texts = append(texts, t)
			for round := range rounds {
				samples = append(samples, Sample{Key{Arm: arm, Task: "text", Text: t.ID, Round: round}, Measure{MS: ms(d, i, round), Tokens: 4, Same: d == 0 || i > 0 || round > 0}})
			}
		}
	}
	return texts, samples
}

// Domains weigh the same whatever their texts, pairs are of a text and a round, and the
// base is the peer's best over all domains, not in one.
func TestCompareTexts(t *testing.T) {
	of := func(times ...float64) func(d, i, round int) float64 {
		return func(d, i, round int) float64 { return times[d] * float64(1+round) }
	}
	texts, samples := speeds("plain", 2, of(10, 10))
	for arm, ms := range map[string]func(d, i, round int) float64{"head": of(4, 6), "lookup": of(20, 40), "draft": of(10, 60)} {
		_, more := speeds(arm, 2, ms)
		samples = append(samples, more...)
	}
	_, single := speeds("once", 1, of(40, 60))
	_, triple := speeds("thrice", 3, of(20, 40))
	samples = append(append(samples, single...), triple...)
	arms := []Arm{{Name: "plain", Own: true}, {Name: "head", Own: true}, {Name: "draft"}, {Name: "lookup"}, {Name: "once"}, {Name: "thrice"}, {Name: "absent"}}
	c := CompareTexts(arms, texts, samples)
	if c.Base != "lookup" || c.Best != "head" || len(c.Arms) != 6 || len(c.Domains) != 2 {
		t.Fatalf("%+v", c)
	}
	near := func(a, b float64) bool { return math.Abs(a-b) < 1e-9 }
	head := c.Arm("head")
	// A domain's mean of rounds of 1 and 2 times is 1.5; all: (20+40)/2 to (4+6)/2.
	if !near(head.MS, 7.5) || !near(head.Times[0].Value, 5) || !near(head.Times[1].Value, 40./6) || !near(head.All.Value, 6) {
		t.Errorf("%+v", head)
	}
	if head.Times[0].Bounded() || !head.Times[1].Bounded() || !head.All.Bounded() || !head.AllAlways || head.All.N != 10 {
		t.Errorf("%+v", head)
	}
	if head.Same != 9 || head.Texts != 10 {
		t.Errorf("%d of %d texts are the same, want 9 of 10", head.Same, head.Texts)
	}
	if once := c.Arm("once"); !near(once.Times[0].Value, .5) || !near(once.All.Value, 60./100) {
		t.Errorf("its round is held against others: %+v", once)
	}
	if thrice := c.Arm("thrice"); !near(thrice.All.Value, 1) {
		t.Errorf("a round that the base lacks counts: %+v", thrice)
	}
	if d := c.Arm("draft"); d.AllAlways || !d.Always[0] || near(d.Times[0].Value, 1) {
		t.Errorf("%+v", d)
	}
	if v := c.Verdict(); !strings.HasPrefix(v, "head is 6.00x [") || !strings.Contains(v, "as fast as lookup") || !strings.Contains(v, "9 of 10") {
		t.Error(v)
	}
	table := c.Table("m", "note")
	if len(table.Rows) != 6 || table.Rows[1][0] != "head" || table.Rows[1][2] != "5.00x ~ (n < 5)" || table.Rows[1][5] != "9 of 10" {
		t.Error(table.Rows)
	}
}

// Without peers this program's plain decoding is the base.
func TestCompareTextsAlone(t *testing.T) {
	texts, samples := speeds("plain", 1, func(int, int, int) float64 { return 10 })
	_, more := speeds("head", 1, func(int, int, int) float64 { return 5 })
	c := CompareTexts([]Arm{{Name: "plain", Own: true}, {Name: "head", Own: true}}, texts, append(samples, more...))
	if c.Base != "plain" || c.Best != "head" || c.Arm("head").All.Value != 2 {
		t.Errorf("%+v", c)
	}
	c = CompareTexts([]Arm{{Name: "plain", Own: true}}, texts, samples)
	if v := c.Verdict(); !strings.Contains(v, "nothing to hold") {
		t.Error(v)
	}
	if c := CompareTexts(nil, texts, nil); c.Base != "" || len(c.Arms) != 0 {
		t.Errorf("%+v", c)
	}
}
