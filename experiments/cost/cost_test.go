package cost

import (
	"context"
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
	c, err := Measure(t.Context(), slow{modeltest.Hash{Vocab: 16, Real: 16}}, 4, 7, 5)
	if err != nil {
		t.Fatal(err)
	}
	if len(c.Times) != 4 || c.Context != 7 || c.Ratio(1) != 1 || c.Times[0] < 15*time.Millisecond {
		t.Errorf("%+v", c)
	}
	if r := c.Ratio(4); r < 1.4 || r > 2.6 { // 2 on a quiet machine
		t.Errorf("t(4)/t(1) is %.2f, want 2", r)
	}
	if _, err := Measure(t.Context(), modeltest.Hash{Vocab: 16, Real: 16, Context: 8}, 4, 7, 1); err == nil || !strings.Contains(err.Error(), "4 rows after 7 tokens: want at most 8") {
		t.Error(err)
	}
	done, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Measure(done, modeltest.Hash{Vocab: 16, Real: 16}, 4, 7, 5); err != context.Canceled {
		t.Error(err)
	}
}

// Where a verify costs one step and a draft c of one, a forecast is Leviathan's:
// the published values for English to German, to their rounding.
func TestForecasts(t *testing.T) {
	flat := Curve{Times: []time.Duration{9, 9, 9, 9, 9, 9, 9, 9}}
	for _, c := range []struct{ a, cost, want float64 }{{.75, .02, 3.2}, {.80, .04, 3.3}, {.82, .11, 2.5}, {.62, .02, 2.3}} {
		f := Forecasts(flat, Pair{Draft: c.cost, Agreement: c.a})[6]
		if f.K != 7 || math.Abs(f.Speedup-c.want) > .07 {
			t.Errorf("%+v, want %.1f", f, c.want)
		}
	}
	steep := Curve{Times: []time.Duration{10, 20, 30, 40}}
	fs := Forecasts(steep, Pair{Draft: .1, Agreement: .99})
	if v := Verdict(fs); !strings.HasPrefix(v, "does not pay") {
		t.Error(v)
	}
	for _, f := range fs {
		if f.BreakEven <= 1 {
			t.Errorf("K rows at K times the price break even at %v", f.BreakEven)
		}
	}
	fs = Forecasts(flat, Pair{Draft: .1, Agreement: .8})
	if v := Verdict(fs); !strings.HasPrefix(v, "pays: ") || Best(fs).K < 2 {
		t.Error(v)
	}
	for _, f := range fs {
		at := Forecasts(flat, Pair{Draft: .1, Agreement: f.BreakEven})[f.K-1]
		if math.Abs(at.Speedup-1) > 1e-9 {
			t.Errorf("K = %d breaks even at %v with a speed-up of %v", f.K, f.BreakEven, at.Speedup)
		}
	}
}

func TestAgreement(t *testing.T) {
	m := modeltest.Hash{Vocab: 64, Real: 64, Layers: 2}
	prompts := [][]model.Token{{1, 2}, {3}}
	if a, n, err := Agreement(t.Context(), m, m, prompts, 30); a != 1 || n != 60 || err != nil {
		t.Errorf("a model agrees with itself at %v of %d tokens (%v)", a, n, err)
	}
	other := modeltest.Hash{Vocab: 64, Real: 64, Salt: 5}
	if a, _, err := Agreement(t.Context(), m, other, prompts, 100); a > .1 || err != nil {
		t.Errorf("another model agrees at %v (%v)", a, err)
	}
	if _, _, err := Agreement(t.Context(), m, m, nil, 30); err == nil {
		t.Error("no prompts have an agreement")
	}
}
