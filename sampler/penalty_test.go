package sampler

import (
	"math"
	"slices"
	"testing"

	"foretoken/model"
)

// penalised returns which ids of a flat row of n lost something.
func penalised(t *testing.T, c Config, n int, at Position) []model.Token {
	t.Helper()
	b, err := NewBuilder(c, n, n)
	if err != nil {
		t.Fatal(err)
	}
	d, err := b.SamplingDistribution(logits(make([]float32, n)), 0, at)
	if err != nil {
		t.Fatal(err)
	}
	var ids []model.Token
	for x, p := range d.All() {
		if p < 1/float64(n) {
			ids = append(ids, x)
		}
	}
	return ids
}

// The window is the last n generated tokens; mlx-lm's is the last n of all.
func TestWindow(t *testing.T) {
	h := []model.Token{5, 4, 3, 2, 1, 0}
	for _, c := range []struct {
		order             Order
		window, generated int
		want              []model.Token
	}{
		{TemperatureFirst, 20, 0, nil},
		{TemperatureFirst, 20, 2, []model.Token{0, 1}},
		{TemperatureFirst, 1, 2, []model.Token{0}},
		{TemperatureFirst, 0, 2, nil},
		{TemperatureFirst, 20, 6, []model.Token{0, 1, 2, 3, 4, 5}},
		{MLXLM, 20, 0, []model.Token{0, 1, 2, 3, 4, 5}},
		{MLXLM, 3, 1, []model.Token{0, 1, 2}},
	} {
		cfg := NewConfig(1)
		cfg.Order, cfg.Penalties.Presence, cfg.Penalties.Window = c.order, 5, c.window
		if got := penalised(t, cfg, 7, Position{History: h, Generated: c.generated}); !slices.Equal(got, c.want) {
			t.Errorf("%s, window %d, %d generated: penalised %v, want %v", c.order, c.window, c.generated, got, c.want)
		}
	}
}

// The default window forgets what lies 20 tokens back.
func TestDefaultWindow(t *testing.T) {
	h := []model.Token{1, 2}
	for range 19 {
		h = append(h, 3)
	}
	cfg := NewConfig(1)
	cfg.Penalties.Presence = 3
	if got := penalised(t, cfg, 5, Position{History: h, Generated: len(h)}); !slices.Equal(got, []model.Token{2, 3}) {
		t.Errorf("penalised %v, want 2 and 3: 1 is 21 tokens back", got)
	}
}

// Bias, then repetition by sign, then presence once, then frequency by count.
func TestPenaltyArithmetic(t *testing.T) {
	cfg := NewConfig(1)
	cfg.Penalties = Penalties{Repetition: 2, Presence: .5, Frequency: .25, Window: 20}
	cfg.LogitBias = map[model.Token]float32{0: 1, 9: 4}
	b, _ := NewBuilder(cfg, 4, 4)
	at := Position{History: []model.Token{0, 1, 1, 1, 77}, Generated: 5} // 77 is outside
	d, err := b.SamplingDistribution(logits{3, -1, 1, 0}, 0, at)
	if err != nil {
		t.Fatal(err)
	}
	// 0: (3+1)/2-.5-.25 = 1.25; 1: -1*2-.5-.75 = -3.25; 2: 1; 3: 0
	for x, want := range map[model.Token]float64{0: 1.25, 1: -3.25, 2: 1} {
		if got := math.Log(d.Prob(x) / d.Prob(3)); math.Abs(got-want) > 1e-6 {
			t.Errorf("logit %d is %v, want %v", x, got, want)
		}
	}
}

// A builder leaves nothing of one position in the next.
func TestPositionsAreIndependent(t *testing.T) {
	cfg := NewConfig(1)
	cfg.Penalties.Frequency = 1
	b, _ := NewBuilder(cfg, 4, 4)
	row := logits{0, 0, 0, 0}
	first, _ := b.SamplingDistribution(row, 0, Position{History: []model.Token{1, 1}, Generated: 2})
	b.SamplingDistribution(row, 0, Position{History: []model.Token{2, 2, 3}, Generated: 3, Engine: only(2)})
	again, _ := b.SamplingDistribution(row, 0, Position{History: []model.Token{1, 1}, Generated: 2})
	for x := range model.Token(4) {
		if first.Prob(x) != again.Prob(x) {
			t.Errorf("token %d has %v, then %v", x, first.Prob(x), again.Prob(x))
		}
	}
}
