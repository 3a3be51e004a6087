package sampler

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"foretoken/model"
)

// A list allows some ids and describes itself.
type list []model.Token

func (e list) WantsMask() bool { return true }
func (e list) Mask(m model.Mask) error {
	clear(m)
	for _, t := range e {
		m.Add(t)
	}
	return nil
}
func (e list) Next(model.Token) (ConstraintEngine, error) { return e, nil }
func (e list) Describe() string                           { return "the list of a test" }

// Whatever leaves no token is named: the constraint, the biases, the model's row; on
// every path, the device's too.
func TestNoTokenNames(t *testing.T) {
	ban := func(tokens ...model.Token) map[model.Token]float32 {
		out := map[model.Token]float32{}
		for _, x := range tokens {
			out[x] = -inf
		}
		return out
	}
	for _, c := range []struct {
		name   string
		row    logits
		engine ConstraintEngine
		bias   map[model.Token]float32
		want   NoTokenError
		says   string
	}{
		{"bias alone", logits{0, 1, 2}, nil, ban(0, 1, 2), NoTokenError{Real: 3, Allowed: 3, Banned: []model.Token{0, 1, 2}},
			"3 tokens and no constraint, a logit bias of -Inf bans 3 (tokens 0 1 2) of them"},
		{"constraint alone", logits{0, 1, 2}, list{3, 40}, nil, NoTokenError{Real: 3, Constraint: "the list of a test"},
			"the list of a test allows 0 of 3 tokens"},
		{"both", logits{0, 1, 2}, list{1}, ban(0, 1), NoTokenError{Real: 3, Constraint: "the list of a test", Allowed: 1, Banned: []model.Token{1}},
			"the list of a test allows 1 of 3 tokens, a logit bias of -Inf bans 1 (token 1) of them"},
		{"model", logits{-inf, -inf, -inf}, nil, nil, NoTokenError{Real: 3, Allowed: 3}, "the model gives 3 a logit of -Inf"},
		{"constraint and model", logits{0, -inf, -inf}, list{1, 2}, nil, NoTokenError{Real: 3, Constraint: "the list of a test", Allowed: 2},
			"allows 2 of 3 tokens, the model gives 2 a logit of -Inf"},
		{"all three", logits{0, 1, -inf}, MayThink(5, 1, 0, list{0, 2}), ban(0, 1), NoTokenError{Real: 3, Constraint: "the list of a test", Allowed: 3, Banned: []model.Token{0, 1}},
			"bans 2 (tokens 0 1) of them, the model gives 1 a logit of -Inf"},
		{"unnamed", logits{0, 1}, only(3), nil, NoTokenError{Real: 2, Constraint: "the constraint"}, "the constraint allows 0 of 2"},
	} {
		for _, temperature := range []float32{0, 1} {
			config := NewConfig(temperature)
			config.LogitBias = c.bias
			b, _ := NewBuilder(config, len(c.row), len(c.row))
			at := Position{Engine: c.engine}
			_, drawn := b.SamplingDistribution(c.row, 0, at)
			_, best := b.Best(c.row, 0, at, 2)
			_, device := b.SamplingDistribution(&device{logits: c.row}, 0, at)
			for way, err := range map[string]error{"drawn": drawn, "best": best, "device": device} {
				var got *NoTokenError
				if !errors.As(err, &got) || !errors.Is(err, ErrNoToken) {
					t.Errorf("%s, %s at %v: %v", c.name, way, temperature, err)
					continue
				}
				if got.Row != 0 || got.Real != c.want.Real || got.Constraint != c.want.Constraint || got.Allowed != c.want.Allowed || !slices.Equal(got.Banned, c.want.Banned) {
					t.Errorf("%s, %s at %v: %+v, want %+v", c.name, way, temperature, *got, c.want)
				}
				if !strings.Contains(err.Error(), c.says) {
					t.Errorf("%s, %s at %v: %q, want %q", c.name, way, temperature, err, c.says)
				}
			}
		}
	}
}
