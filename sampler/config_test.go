package sampler

import (
	"encoding/json"
	"math"
	"strings"
	"testing"

	"foretoken/model"
)

func TestValidate(t *testing.T) {
	nan := float32(math.NaN())
	for want, edit := range map[string]func(*Config){
		"":                   func(*Config) {},
		"temperature NaN":    func(c *Config) { c.Temperature = nan },
		"temperature +Inf":   func(c *Config) { c.Temperature = inf },
		"top_p NaN":          func(c *Config) { c.TopP = nan },
		"top_p 1.5":          func(c *Config) { c.TopP = 1.5 },
		"top_p -0.1":         func(c *Config) { c.TopP = -.1 },
		"min_p NaN":          func(c *Config) { c.MinP = nan },
		"min_p 2":            func(c *Config) { c.MinP = 2 },
		"top_k -1":           func(c *Config) { c.TopK = -1 },
		"repetition":         func(c *Config) { c.Penalties.Repetition = 0 },
		"repetition penalty": func(c *Config) { c.Penalties.Repetition = inf },
		"presence":           func(c *Config) { c.Penalties.Presence = -inf },
		"frequency":          func(c *Config) { c.Penalties.Frequency = nan },
		"window -1":          func(c *Config) { c.Penalties.Window = -1 },
		"bias NaN":           func(c *Config) { c.LogitBias = map[model.Token]float32{3: nan} },
		"bias +Inf":          func(c *Config) { c.LogitBias = map[model.Token]float32{3: inf} },
		`order "mlx"`:        func(c *Config) { c.Order = "mlx" },
	} {
		c := NewConfig(1)
		c.LogitBias = map[model.Token]float32{1: -inf}
		edit(&c)
		_, err := NewBuilder(c, 4, 4)
		switch {
		case want == "" && err != nil:
			t.Errorf("identity: %v", err)
		case want != "" && (err == nil || !strings.Contains(err.Error(), want)):
			t.Errorf("error %v, want one about %q", err, want)
		}
	}
	if _, err := NewBuilder(NewConfig(1), 0, 4); err == nil {
		t.Error("rows of no logits are accepted")
	}
}

// Each rule that changes a distribution changes its name, and nothing else does.
func TestFingerprint(t *testing.T) {
	base := NewConfig(1)
	seen := map[string]string{base.Fingerprint(100): "base"}
	for name, edit := range map[string]func(*Config){
		"temperature": func(c *Config) { c.Temperature = .5 },
		"top_p":       func(c *Config) { c.TopP = .9 },
		"min_p":       func(c *Config) { c.MinP = .1 },
		"top_k":       func(c *Config) { c.TopK = 9 },
		"order":       func(c *Config) { c.Order = MLXLM },
		"repetition":  func(c *Config) { c.Penalties.Repetition = 1.1 },
		"presence":    func(c *Config) { c.Penalties.Presence = 1 },
		"frequency":   func(c *Config) { c.Penalties.Frequency = 1 },
		"window":      func(c *Config) { c.Penalties.Frequency, c.Penalties.Window = 1, 5 },
		"rule":        func(c *Config) { c.Penalties.Frequency, c.Order = 1, MLXLM },
		"bias":        func(c *Config) { c.LogitBias = map[model.Token]float32{7: 1} },
		"other bias":  func(c *Config) { c.LogitBias = map[model.Token]float32{7: 2} },
	} {
		c := base
		edit(&c)
		f := c.Fingerprint(100)
		if other, ok := seen[f]; ok {
			t.Errorf("%s has the name of %s: %s", name, other, f)
		}
		seen[f] = name
	}
	if f := base.Fingerprint(101); seen[f] != "" {
		t.Error("another vocabulary has the same name")
	}
	for name, edit := range map[string]func(*Config){
		"top_p off":       func(c *Config) { c.TopP = 0 },
		"top_k over all":  func(c *Config) { c.TopK = 100 },
		"idle window":     func(c *Config) { c.Penalties.Window = 3 },
		"unnamed order":   func(c *Config) { c.Order = "" },
		"bias of no word": func(c *Config) { c.LogitBias = map[model.Token]float32{100: 5, -1: 5, 3: 0} },
	} {
		c := base
		edit(&c)
		if f := c.Fingerprint(100); seen[f] != "base" {
			t.Errorf("%s changes no distribution and the name is %s", name, f)
		}
	}
	greedy := NewConfig(0)
	greedy.Penalties.Presence = 1
	if f := greedy.Fingerprint(100); f != PointFingerprint {
		t.Errorf("greedy is %q", f)
	}
}

// A builder's law is its own: the caller's map may change.
func TestBuilderKeepsItsBias(t *testing.T) {
	c := NewConfig(1)
	c.LogitBias = map[model.Token]float32{0: -inf}
	b, _ := NewBuilder(c, 2, 2)
	c.LogitBias[1] = -inf
	if d, err := b.SamplingDistribution(logits{0, 0}, 0, Position{}); err != nil || d.Prob(1) != 1 {
		t.Errorf("%v %v", support(d), err)
	}
}

func TestConfigAsJSON(t *testing.T) {
	c := NewConfig(.7)
	text := `{"temperature": 0.8, "top_k": 40, "order": "mlx-lm", "penalties": {"repetition": 1.1}, "logit_bias": {"17": -2.5}}`
	if err := json.Unmarshal([]byte(text), &c); err != nil {
		t.Fatal(err)
	}
	if c.Temperature != .8 || c.TopK != 40 || c.TopP != 1 || c.Order != MLXLM || c.Penalties.Repetition != 1.1 ||
		c.Penalties.Window != DefaultWindow || c.LogitBias[17] != -2.5 {
		t.Errorf("%+v", c)
	}
}

// Builders pass over a bias of an id that is none; whoever knows the target refuses it.
func TestBiasWithin(t *testing.T) {
	for id, ok := range map[model.Token]bool{-1: false, 0: true, 4: true, 5: false} {
		c := NewConfig(1)
		c.LogitBias = map[model.Token]float32{id: 1}
		if err := c.Within(5); (err == nil) != ok {
			t.Errorf("token %d of 5: %v", id, err)
		}
		if _, err := NewBuilder(c, 5, 5); err != nil {
			t.Errorf("token %d of 5: the builder says %v", id, err)
		}
	}
}
