package cost

import (
	"context"
	"errors"
	"math"
	"strings"
	"testing"
	"time"

	"foretoken/model"
	"foretoken/model/modeltest"
)

// slow is a model that takes its time: a fixed part and one for each row.
type slow struct{ modeltest.Hash }

func (m slow) NewSession() (model.Session, error) {
	s, err := m.Hash.NewSession()
	return slowSession{s}, err
}

type slowSession struct{ model.Session }

func (s slowSession) Forward(tokens []model.Token, rows int) (model.Logits, error) {
	time.Sleep(10*time.Millisecond + time.Duration(rows)*5*time.Millisecond)
	return s.Session.Forward(tokens, rows)
}

func TestMeasure(t *testing.T) {
	m := slow{modeltest.Hash{Vocab: 16, Real: 16}}
	c, err := Measure(t.Context(), m, m, 4, 7, 5)
	if err != nil {
		t.Fatal(err)
	}
	if c.Rows() != 4 || len(c.Draft) != 5 || c.Context != 7 || c.Ratio(1).Value != 1 || c.Time(1) < 15*time.Millisecond {
		t.Errorf("%+v", c)
	}
	if r := c.Ratio(4); r.Value < 1.4 || r.Value > 2.6 || !(r.Low <= r.Value && r.Value <= r.High) { // 2 on a quiet machine
		t.Errorf("t(4)/t(1) is %v, want 2", r)
	}
	if d := c.draft(c.turns()); d < .7 || d > 1.4 {
		t.Errorf("a model costs %.2f of itself, want 1", d)
	}
	if _, err := Measure(t.Context(), modeltest.Hash{Vocab: 16, Real: 16, Context: 8}, nil, 4, 7, 1); err == nil || !strings.Contains(err.Error(), "4 rows after 7 tokens: want at most 8") {
		t.Error(err)
	}
	done, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Measure(done, modeltest.Hash{Vocab: 16, Real: 16}, nil, 4, 7, 5); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// steady is a curve of turns without noise: times of n rows, and of the draft.
func steady(turns int, draft time.Duration, times ...time.Duration) Curve {
	c := Curve{Context: 1}
	for _, d := range times {
		var all []time.Duration
		for range turns {
			all = append(all, d*time.Millisecond)
		}
		c.Target = append(c.Target, all)
	}
	for range turns {
		c.Draft = append(c.Draft, draft*time.Millisecond)
	}
	return c
}

// Where a verify costs one step and a draft c of one, a forecast is Leviathan's:
// the published values for English to German, to their rounding.
func TestForecasts(t *testing.T) {
	for _, c := range []struct {
		a     float64
		draft time.Duration // in hundredths of a step
		want  float64
	}{{.75, 2, 3.2}, {.80, 4, 3.3}, {.82, 11, 2.5}, {.62, 2, 2.3}} {
		flat := steady(9, c.draft, 100, 100, 100, 100, 100, 100, 100, 100)
		f := Forecasts(flat, Agreement{Given: c.a})[6]
		if f.K != 7 || math.Abs(f.Speedup.Value-c.want) > .07 || f.Speedup.Low != f.Speedup.Value {
			t.Errorf("%+v, want %.1f", f, c.want)
		}
	}
	steep := steady(9, 1, 10, 20, 30, 40)
	for _, f := range Forecasts(steep, Agreement{Given: .99}) {
		if f.BreakEven <= 1 {
			t.Errorf("K rows at K times the price break even at %v", f.BreakEven)
		}
	}
	flat := steady(9, 10, 100, 100, 100, 100)
	for _, f := range Forecasts(flat, Agreement{Given: .8}) {
		at := Forecasts(flat, Agreement{Given: f.BreakEven})[f.K-1]
		if math.Abs(at.Speedup.Value-1) > 1e-9 {
			t.Errorf("K = %d breaks even at %v with a speed-up of %v", f.K, f.BreakEven, at.Speedup.Value)
		}
	}
}

// A verdict is given only where the measurements carry it.
func TestVerdict(t *testing.T) {
	noisy := steady(9, 10, 100, 105, 110)
	for i := range noisy.Draft { // a draft that is worth it in one turn, and not in the next
		noisy.Draft[i] *= time.Duration(1 + 7*(i%2))
	}
	unequal := Agreement{Same: []int{1, 9, 2, 9, 5}, Tokens: []int{10, 10, 10, 10, 10}}
	for want, got := range map[string]string{
		"pays: ":         verdict(steady(9, 10, 100, 100, 100, 100), Agreement{Given: .8}),
		"does not pay: ": verdict(steady(9, 1, 10, 20, 30, 40), Agreement{Given: .99}),
		"no verdict: t(2)/t(1) is 0.64 [0.64, 0.64]":                                     verdict(steady(9, 10, 100, 64, 64, 64), Agreement{Given: .8}),
		"no verdict: t(3)/t(2) is 0.50 [0.50, 0.50]":                                     verdict(steady(9, 10, 100, 200, 100), Agreement{Given: .9}),
		"no verdict: 2.32x expected at the best K, 3, of too few":                        verdict(steady(4, 9, 100, 100, 100, 100), Agreement{Given: .8}),
		"no verdict: 1.95x expected at the best K, 3, of too few":                        verdict(steady(9, 10, 100, 100, 100, 100), Agreement{Same: []int{7}, Tokens: []int{10}}),
		"the interval holds 1, break-even":                                               verdict(noisy, Agreement{Given: .5}),
		"no verdict: 1.13x [0.90, 1.35] expected at the best K, 1; the interval holds 1": verdict(steady(9, 10, 100, 125), unequal),
	} {
		if !strings.Contains(got, want) {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

func verdict(c Curve, a Agreement) string { return Verdict(c, Forecasts(c, a)) }

func TestAgreement(t *testing.T) {
	m := modeltest.Hash{Vocab: 64, Real: 64, Layers: 2}
	prompts := [][]model.Token{{1, 2}, {3}}
	if a, err := Agree(t.Context(), m, m, prompts, 30); a.value(a.texts()) != 1 || a.All() != 60 || err != nil {
		t.Errorf("a model agrees with itself at %+v (%v)", a, err)
	}
	other := modeltest.Hash{Vocab: 64, Real: 64, Salt: 5}
	if a, err := Agree(t.Context(), m, other, prompts, 100); a.value(a.texts()) > .1 || err != nil {
		t.Errorf("another model agrees at %+v (%v)", a, err)
	}
	if _, err := Agree(t.Context(), m, m, nil, 30); err == nil {
		t.Error("no prompts have an agreement")
	}
}
