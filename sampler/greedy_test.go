package sampler

import (
	"errors"
	"slices"
	"testing"

	"foretoken/model"
)

// A device is logits that count who asks for what.
type device struct {
	logits
	argmaxes, masked, read int
}

func (d *device) Argmaxes() ([]model.Token, error) { d.argmaxes++; return d.logits.Argmaxes() }
func (d *device) Read(row int, dst []float32) error {
	d.read++
	return d.logits.Read(row, dst)
}
func (d *device) MaskedArgmax(_ int, mask model.Mask) (model.Token, error) {
	d.masked++
	best := model.Token(-1)
	for i, v := range d.logits {
		if mask.Has(model.Token(i)) && v > -inf && (best < 0 || v > d.logits[best]) {
			best = model.Token(i)
		}
	}
	return best, nil
}

// Which of the four greedy paths a step takes, by what leaves the device.
func TestGate(t *testing.T) {
	bias := func(c *Config) { c.LogitBias = map[model.Token]float32{0: 9} }
	presence := func(c *Config) { c.Penalties.Presence = .1 }
	off := func(*Config) {}
	for _, c := range []struct {
		name                   string
		edit                   func(*Config)
		engine                 ConstraintEngine
		row                    logits
		argmaxes, masked, read int
		want                   model.Token
	}{
		{"plain", off, nil, logits{1, 3, 3, 0}, 1, 0, 0, 1},
		{"an engine without a mask here", off, everyOther(0), logits{1, 3, 3, 0}, 1, 0, 0, 1},
		{"mask", off, only(2), logits{1, 3, 3, 0}, 0, 1, 0, 2},
		{"bias", bias, nil, logits{1, 3, 3, 0}, 0, 0, 1, 0},
		{"penalty", presence, nil, logits{1, 3, 3, 0}, 0, 0, 1, 1},
		{"penalty and mask", presence, only(3), logits{1, 3, 3, 0}, 0, 0, 1, 3},
		{"best id is padding", off, nil, logits{1, 3, 3, 0, 7}, 1, 0, 1, 1},
		{"mask, padding in it", off, everything{}, logits{1, 3, 3, 0, 7}, 0, 1, 0, 1},
	} {
		cfg := NewConfig(0)
		c.edit(&cfg)
		b, _ := NewBuilder(cfg, len(c.row), 4)
		d := &device{logits: c.row}
		p, err := b.SamplingDistribution(d, 0, Position{Engine: c.engine})
		if err != nil || !p.IsPoint() || p.Draw(0) != c.want || p.Fingerprint() != PointFingerprint {
			t.Errorf("%s: %v %v, want a point on %d", c.name, support(p), err, c.want)
		}
		if d.argmaxes != c.argmaxes || d.masked != c.masked || d.read != c.read {
			t.Errorf("%s: %d argmaxes, %d masked, %d rows read, want %d, %d, %d", c.name,
				d.argmaxes, d.masked, d.read, c.argmaxes, c.masked, c.read)
		}
		if host, err := b.SamplingDistribution(c.row, 0, Position{Engine: c.engine}); err != nil || host.Draw(0) != c.want {
			t.Errorf("%s: the host picks %v", c.name, support(host))
		}
	}
	b, _ := NewBuilder(NewConfig(0), 4, 4)
	if _, err := b.SamplingDistribution(&device{logits: logits{1, 2, -inf, 3}}, 0, Position{Engine: only(2)}); !errors.Is(err, ErrNoToken) {
		t.Errorf("a mask that leaves -Inf gives %v, want ErrNoToken", err)
	}
}

// everything masks nothing, past the real ids too.
type everything struct{}

func (everything) WantsMask() bool                              { return true }
func (everything) Mask(m model.Mask) error                      { m.Fill(64 * len(m)); return nil }
func (e everything) Next(model.Token) (ConstraintEngine, error) { return e, nil }

// executor is a device that executes plans, after having changed the ids so that
// a test sees whose answer it is.
type executor struct {
	logits
	plan *model.Plan
	err  error
}

func (e *executor) Execute(_ int, p *model.Plan) (model.Support, error) {
	e.plan = p
	if e.err != nil || len(e.logits) == 0 {
		return model.Support{}, e.err
	}
	return model.Support{Tokens: []model.Token{1, 3}, Probs: []float64{.25, .75}}, nil
}

// A device that can execute a plan gets all of it, and no row is read.
func TestPlanExecutor(t *testing.T) {
	c := NewConfig(.5)
	c.TopP, c.MinP, c.TopK, c.LogitBias = .9, .1, 3, map[model.Token]float32{2: 1, 8: 1, 0: -inf}
	c.Penalties = Penalties{1.1, .2, .3, 4}
	for _, order := range []Order{TemperatureFirst, MLXLM} { // the others' top-k is the host's
		c.Order = order
		b, _ := NewBuilder(c, 6, 5)
		e := &executor{logits: logits{0}}
		at := Position{History: []model.Token{4, 1, 3, 3}, Generated: 2, Engine: everything{}}
		d, err := b.SamplingDistribution(e, 0, at)
		if err != nil || d.Prob(3) != .75 || d.Fingerprint() != b.Fingerprint() {
			t.Fatalf("%v %v", support(d), err)
		}
		filter, seen := float32(.5), []model.Count{{Token: 3, N: 2}}
		if order == MLXLM {
			filter, seen = 1, []model.Count{{Token: 4, N: 1}, {Token: 1, N: 1}, {Token: 3, N: 2}}
		}
		p := e.plan
		if p.Real != 5 || p.Temperature != .5 || p.FilterTemperature != filter || p.TopP != .9 || p.MinP != .1 || p.TopK != 3 ||
			p.KeepTies != (order == MLXLM) || p.Repetition != 1.1 || p.Presence != .2 || p.Frequency != .3 ||
			!slices.Equal(p.Seen, seen) || p.Mask.Len() != 5 ||
			!slices.Equal(p.Bias, []model.Bias{{Token: 0, Value: -inf}, {Token: 2, Value: 1}}) {
			t.Errorf("%s: plan %+v", order, p)
		}
	}
	for _, order := range []Order{Transformers, LlamaCPP} {
		c.Order = order
		b, _ := NewBuilder(c, 6, 5)
		if _, err := b.SamplingDistribution(&executor{logits: logits{0, 1, 2, 3, 4, 5}}, 0, Position{}); err != nil {
			t.Errorf("%s: %v", order, err)
		}
	}
	c.Order = TemperatureFirst
	b, _ := NewBuilder(c, 6, 5)
	if _, err := b.SamplingDistribution(&executor{}, 0, Position{}); !errors.Is(err, ErrNoToken) {
		t.Errorf("an empty support gives %v, want ErrNoToken", err)
	}
	lost := errors.New("device lost")
	if _, err := b.SamplingDistribution(&executor{err: lost}, 0, Position{}); !errors.Is(err, lost) {
		t.Errorf("error %v", err)
	}
}
