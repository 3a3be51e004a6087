package main

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/spf13/pflag"

	"foretoken/model"
	"foretoken/sampler"
)

// samplerFlags are a sampler.Config as flags, in the words of a config file.
type samplerFlags struct {
	config sampler.Config
	bias   []string
}

func (s *samplerFlags) add(f *pflag.FlagSet) {
	s.config = sampler.NewConfig(0)
	c := &s.config
	f.Float32Var(&c.Temperature, "temperature", c.Temperature, "0 is greedy")
	f.Float32Var(&c.TopP, "top-p", c.TopP, "keep the most probable tokens of this mass; 0 and 1 keep all")
	f.Float32Var(&c.MinP, "min-p", c.MinP, "drop tokens below this share of the most probable one")
	f.IntVar(&c.TopK, "top-k", c.TopK, "keep the most probable tokens, this many; 0 keeps all")
	f.StringVar((*string)(&c.Order), "order", string(c.Order), orderHelp())
	f.Float32Var(&c.Penalties.Repetition, "repetition", c.Penalties.Repetition, "repetition penalty; 1 is none")
	f.Float32Var(&c.Penalties.Presence, "presence", c.Penalties.Presence, "presence penalty")
	f.Float32Var(&c.Penalties.Frequency, "frequency", c.Penalties.Frequency, "frequency penalty")
	f.IntVar(&c.Penalties.Window, "window", c.Penalties.Window, "tokens that penalties look at")
	f.StringSliceVar(&s.bias, "logit-bias", nil, "ID=VALUE, added to a logit; -inf bans (repeatable)")
}

// orderHelp says where each filter stands in each order.
func orderHelp() string {
	var lines []string
	for _, o := range sampler.Orders() {
		lines = append(lines, fmt.Sprintf("%s: %s", o, o.About()))
	}
	return "order of the filters:\n" + strings.Join(lines, "\n") + "\n"
}

// resolve is the config, or what is wrong with the flags.
func (s *samplerFlags) resolve() (sampler.Config, error) {
	c := s.config
	for _, pair := range s.bias {
		id, value, _ := strings.Cut(pair, "=")
		t, err := strconv.ParseInt(id, 10, 32)
		v, err2 := strconv.ParseFloat(value, 32)
		if err != nil || err2 != nil || math.IsNaN(v) {
			return c, wrong("--logit-bias %q, want ID=VALUE", pair)
		}
		if _, ok := c.LogitBias[model.Token(t)]; ok {
			return c, wrong("--logit-bias %q: token %d is biased already", pair, t)
		}
		if c.LogitBias == nil {
			c.LogitBias = map[model.Token]float32{}
		}
		c.LogitBias[model.Token(t)] = float32(v)
	}
	if c.Temperature < 0 {
		return c, wrong("--temperature %v, want 0 (greedy) or more", c.Temperature)
	}
	if err := c.Validate(); err != nil {
		return c, badInput{err}
	}
	return c, nil
}

// ids reads token ids with commas between them.
func ids(list string) ([]model.Token, error) {
	var out []model.Token
	for _, word := range strings.FieldsFunc(list, func(r rune) bool { return r == ',' || r == ' ' }) {
		t, err := strconv.ParseInt(word, 10, 32)
		if err != nil || t < 0 {
			return nil, fmt.Errorf("%q, want token ids such as 5,17", list)
		}
		out = append(out, model.Token(t))
	}
	return out, nil
}
