package sampler

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"foretoken/model"
)

func TestThinkSplitter(t *testing.T) {
	const a, b, o, c, q = 10, 11, 1, 2, 3 // text, text, open, close, a token that spells a tag
	for _, x := range []struct {
		name       string
		start, end []model.Token
		opened     bool
		in         []model.Token
		want       string
		reasoning  int
	}{
		{"opened by the model", []model.Token{o}, []model.Token{c}, false, []model.Token{o, a, b, c, a}, "m1 r10 r11 m2 a10", 2},
		{"opened by the template", []model.Token{o}, []model.Token{c}, true, []model.Token{a, c, b}, "r10 m2 a11", 1},
		{"none", []model.Token{o}, []model.Token{c}, false, []model.Token{a, c, b}, "a10 a2 a11", 0},
		{"one block only", []model.Token{o}, []model.Token{c}, true, []model.Token{c, o, a, c}, "m2 a1 a10 a2", 0},
		{"a quoted tag", []model.Token{o}, []model.Token{c}, true, []model.Token{q, a, c, q}, "r3 r10 m2 a3", 2},
		{"a tag of three", nil, []model.Token{q, q, c}, true, []model.Token{a, q, q, q, c, b}, "r10 r3 m3 m3 m2 a11", 2},
		{"a tag broken off", nil, []model.Token{q, q, c}, true, []model.Token{q, a, q, q}, "r3 r10 r3 r3", 4},
		{"nothing opens", nil, []model.Token{c}, false, []model.Token{o, c}, "a1 a2", 0},
	} {
		s, got := NewThinkSplitter(x.start, x.end, x.opened), ""
		var all []Routed
		for _, t := range x.in {
			all = append(all, s.Push(t)...)
		}
		for i, r := range append(all, s.Flush()...) {
			if i > 0 {
				got += " "
			}
			got += fmt.Sprintf("%c%d", "arm"[r.Channel], r.Token)
		}
		if got != x.want || s.Reasoning() != x.reasoning {
			t.Errorf("%s: %s with %d of reasoning, want %s with %d", x.name, got, s.Reasoning(), x.want, x.reasoning)
		}
	}
}

// Whatever comes, every token is routed once and in order, and a budget that the
// constraint holds is what the splitter counts.
func TestSplitterAgreesWithBudget(t *testing.T) {
	r := rand.New(rand.NewPCG(10, 1))
	end := []model.Token{1, 1, 2}
	for range 2000 {
		budget, n := r.IntN(5), 1+r.IntN(12)
		e, s := ThinkUntil(budget, end, nil), NewThinkSplitter(nil, end, true)
		var in, out []model.Token
		for range n {
			x := model.Token(r.IntN(3))
			if f, ok := e.(Forcer); ok {
				if must, ok := f.Forced(); ok {
					x = must
				}
			}
			e, _ = After(e, x)
			in = append(in, x)
			for _, p := range s.Push(x) {
				out = append(out, p.Token)
			}
		}
		for _, p := range s.Flush() {
			out = append(out, p.Token)
		}
		if !slices.Equal(in, out) || s.Reasoning() > budget && e == nil {
			t.Fatalf("budget %d: %v routed as %v with %d of reasoning", budget, in, out, s.Reasoning())
		}
	}
}
