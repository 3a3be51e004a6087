package sampler

import (
	"math"
	"slices"
	"testing"

	"foretoken/model"
)

func TestPCG32Golden(t *testing.T) {
	r := NewPCG32(42, 54)
	for i, want := range []uint32{0xa15c02b7, 0x7b47f409, 0xba1d3330, 0x83d2f293, 0xbfa4784b, 0xcbed606e} {
		if got := r.Uint32(); got != want {
			t.Errorf("number %d is %08x, want %08x", i, got, want)
		}
	}
}

func TestAtIsNext(t *testing.T) {
	a, b := NewPCG32(7, 0), NewPCG32(7, 0)
	for n := range 1000 {
		if got, want := a.At(n), b.Float32(); got != want {
			t.Fatalf("number %d is %v, want %v", n, got, want)
		}
	}
}

// logits is one host row.
type logits []float32

func (l logits) Wait() error                     { return nil }
func (l logits) Read(_ int, dst []float32) error { copy(dst, l); return nil }
func (l logits) Argmaxes() ([]model.Token, error) {
	return []model.Token{model.Token(slices.Index(l, slices.Max(l)))}, nil
}

// Padding is never drawn, at temperature 0 neither, where the device only says
// which id of the padded row is best.
func TestPaddingIsNeverDrawn(t *testing.T) {
	for _, temperature := range []float32{0, 1} {
		b, err := NewBuilder(NewConfig(temperature), 5, 3)
		if err != nil {
			t.Fatal(err)
		}
		d, err := b.SamplingDistribution(logits{1, 2, 0, 9, 2}, 0, Position{})
		if err != nil || d.Prob(3) != 0 || d.Prob(1) < .5 {
			t.Errorf("t=%v: %v %v", temperature, d, err)
		}
	}
}

// The window counts generated tokens only.
func TestWindowIsGenerated(t *testing.T) {
	cfg := NewConfig(1)
	cfg.Penalties.Presence, cfg.Penalties.Window = 5, 2
	b, _ := NewBuilder(cfg, 3, 3)
	for generated, want := range [][]bool{{false, false, false}, {true, false, false}, {true, true, false}, {true, true, false}} {
		d, err := b.SamplingDistribution(logits{0, 0, 0}, 0, Position{History: []model.Token{2, 1, 0}, Generated: generated})
		if err != nil {
			t.Fatal(err)
		}
		top := slices.Max(d.probs)
		for x, penalised := range want {
			if d.Prob(model.Token(x)) < top != penalised && slices.Contains(want, true) {
				t.Errorf("generated %d: token %d has %v", generated, x, d.Prob(model.Token(x)))
			}
		}
	}
}

// Given that it is not t, a distribution is its residual after a point.
func TestResidualOfPoint(t *testing.T) {
	b, _ := NewBuilder(NewConfig(1), 3, 3)
	q, _ := b.SamplingDistribution(logits{1, 2, 3}, 0, Position{})
	r := Residual(q, Point(2))
	if r.Prob(2) != 0 || math.Abs(r.Prob(0)/r.Prob(1)-math.Exp(-1)) > 1e-12 || r.Fingerprint() != q.Fingerprint() {
		t.Errorf("%v", r)
	}
}

// At most budget tokens of reasoning, then the end, whatever the row says.
func TestThink(t *testing.T) {
	b, _ := NewBuilder(NewConfig(0), 3, 3)
	row := logits{5, 1, float32(math.Inf(-1))}
	for budget := range 4 {
		at := Position{Engine: Think(budget, 2, nil)}
		for i := range 6 {
			d, err := b.SamplingDistribution(row, 0, at)
			if err != nil {
				t.Fatal(err)
			}
			x := d.Draw(0)
			if (x == 2) != (i == budget) {
				t.Errorf("budget %d: token %d is %d", budget, i, x)
			}
			at, _ = at.Next(x)
		}
	}
}

func TestNaNIsRefused(t *testing.T) {
	b, _ := NewBuilder(NewConfig(1), 2, 2)
	inf := float32(math.Inf(1))
	for _, row := range []logits{{0, inf - inf}, {0, inf}, {-inf, -inf}} {
		if d, err := b.SamplingDistribution(row, 0, Position{}); err == nil {
			t.Errorf("row %v gives %v", row, d)
		}
	}
}
