package sampler

import (
	"errors"
	"math"
	"slices"
	"testing"

	"foretoken/model"
)

// logits is one host row.
type logits []float32

func (l logits) Wait() error                      { return nil }
func (l logits) Read(_ int, dst []float32) error  { copy(dst, l); return nil }
func (l logits) Argmaxes() ([]model.Token, error) { return model.Row(l).Argmaxes() }

var inf = float32(math.Inf(1))

// build returns the distribution of row, which has one.
func build(t testing.TB, c Config, row ...float32) Distribution {
	t.Helper()
	b, err := NewBuilder(c, len(row), len(row))
	if err != nil {
		t.Fatal(err)
	}
	d, err := b.SamplingDistribution(logits(row), 0, Position{})
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func support(d Distribution) []model.Token {
	ids := []model.Token{}
	for t := range d.All() {
		ids = append(ids, t)
	}
	return ids
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
			t.Errorf("t=%v: %v %v", temperature, support(d), err)
		}
	}
}

// A row narrower than the vocabulary lacks words: they have probability 0,
// whatever their bias.
func TestNarrowRow(t *testing.T) {
	c := NewConfig(1)
	c.LogitBias = map[model.Token]float32{3: 50}
	b, _ := NewBuilder(c, 2, 4)
	for range 2 {
		d, err := b.SamplingDistribution(logits{1, 1}, 0, Position{})
		if err != nil || !slices.Equal(support(d), []model.Token{0, 1}) {
			t.Errorf("support %v, want 0 and 1 (%v)", support(d), err)
		}
	}
}

func TestBadRows(t *testing.T) {
	nan := float32(math.NaN())
	big := make([]float32, 5000)
	big[4999] = nan
	for _, topK := range []int{0, 1} {
		for _, temperature := range []float32{0, 1} {
			c := NewConfig(temperature)
			c.TopK, c.Penalties.Presence = topK, .5 // the host path at temperature 0 too
			for _, row := range []logits{{0, nan}, {nan, 0}, {0, inf}, {inf, nan}, {inf, -inf, 3}, big} {
				b, _ := NewBuilder(c, len(row), len(row))
				_, err := b.SamplingDistribution(row, 0, Position{})
				var bad *LogitError
				if !errors.As(err, &bad) || !(isNaN(row[bad.Token]) || row[bad.Token] == inf) {
					t.Errorf("t=%v k=%d, row of %d: error %v, want one that names the logit", temperature, topK, len(row), err)
				}
			}
			b, _ := NewBuilder(c, 2, 2)
			if _, err := b.SamplingDistribution(logits{-inf, -inf}, 0, Position{}); !errors.Is(err, ErrNoToken) {
				t.Errorf("a row of -Inf gives %v, want ErrNoToken", err)
			}
			if _, err := b.Best(logits{-inf, -inf}, 0, Position{}, 2); !errors.Is(err, ErrNoToken) {
				t.Errorf("best of a row of -Inf gives %v, want ErrNoToken", err)
			}
		}
	}
}

// What a mask hides is still refused when it is no logit, and a mask of nothing
// leaves no token.
func TestMaskedErrors(t *testing.T) {
	b, _ := NewBuilder(NewConfig(1), 3, 3)
	var bad *LogitError
	_, err := b.SamplingDistribution(logits{0, float32(math.NaN()), 0}, 0, Position{Engine: only(2)})
	if !errors.As(err, &bad) || bad.Token != 1 {
		t.Errorf("error %v, want logit 1 named", err)
	}
	for _, temperature := range []float32{0, 1} {
		b, _ = NewBuilder(NewConfig(temperature), 3, 3)
		if _, err := b.SamplingDistribution(logits{0, 1, 2}, 0, Position{Engine: only(3)}); !errors.Is(err, ErrNoToken) {
			t.Errorf("t=%v: error %v, want ErrNoToken", temperature, err)
		}
	}
}

// only is an engine that allows one id.
type only model.Token

func (e only) WantsMask() bool                            { return true }
func (e only) Mask(m model.Mask) error                    { clear(m); m.Add(model.Token(e)); return nil }
func (e only) Next(model.Token) (ConstraintEngine, error) { return e, nil }

func TestStepMask(t *testing.T) {
	got, err := StepMask(only(2), 4)
	if err != nil || !slices.Equal(got, []bool{false, false, true, false}) {
		t.Errorf("%v %v", got, err)
	}
	got, err = StepMask(nil, 3)
	if err != nil || !slices.Equal(got, []bool{true, true, true}) {
		t.Errorf("no engine: %v %v", got, err)
	}
}
