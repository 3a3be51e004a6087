package spec_test

import (
	"fmt"
	"strings"
	"testing"

	"foretoken/draft"
	"foretoken/model"
	"foretoken/model/modeltest"
	"foretoken/sampler"
	"foretoken/spec"
	"foretoken/verify"
)

// The same seed gives the same text, another seed another.
func TestSeeds(t *testing.T) {
	for _, name := range draft.Names() {
		texts := map[string]int{}
		for i := range 8 {
			r := request(4, 30)
			r.Sampler, r.Seed = sampler.NewConfig(1), uint64(i/2)
			got, err := spec.Generate(t.Context(), setup(name), r)
			check(t, err)
			texts[fmt.Sprint(got.Tokens)]++
		}
		if len(texts) != 4 {
			t.Errorf("%s: %d texts from 4 seeds used twice", name, len(texts))
		}
	}
}

// Bad requests are refused before anything runs, in words.
func TestBadRequests(t *testing.T) {
	for want, edit := range map[string]func(*spec.Setup, *spec.Request){
		"empty prompt":          func(_ *spec.Setup, r *spec.Request) { r.Prompt = nil },
		"draft length -1":       func(_ *spec.Setup, r *spec.Request) { r.K = -1 },
		"max tokens 0":          func(_ *spec.Setup, r *spec.Request) { r.MaxTokens = 0 },
		"no end to its context": func(_ *spec.Setup, r *spec.Request) { r.MaxTokens = -1 },
		"less than the context": func(s *spec.Setup, _ *spec.Request) { s.Target = modeltest.Hash{Vocab: 16, Real: 16, Context: 8} },
		"need a text stream":    func(_ *spec.Setup, r *spec.Request) { r.Stop = []string{"x"} },
		"empty stop string":     func(_ *spec.Setup, r *spec.Request) { r.Stop, r.Text = []string{""}, &letters{} },
		"logit bias of token 99": func(_ *spec.Setup, r *spec.Request) {
			r.Sampler.LogitBias = map[model.Token]float32{99: 1}
		},
		"prompt token 1 is 99":  func(_ *spec.Setup, r *spec.Request) { r.Prompt = []model.Token{1, 99} },
		"prompt token 11 is 98": func(_ *spec.Setup, r *spec.Request) { r.Resumed = []model.Token{98} },
		"needs a draft model":   func(s *spec.Setup, _ *spec.Request) { s.Drafter = &draft.Model{} },
		"needs stochastic":      func(s *spec.Setup, r *spec.Request) { r.Sampler, s.Policy = sampler.NewConfig(1), verify.GreedyOnly },
		"temperature NaN":       func(_ *spec.Setup, r *spec.Request) { r.Sampler.Temperature = float32(nan()) },
	} {
		s, r := setup("model"), request(2, 10)
		edit(&s, &r)
		got, err := spec.Generate(t.Context(), s, r)
		if err == nil || !strings.Contains(err.Error(), want) || len(got.Tokens) > 0 {
			t.Errorf("%v, want %q", err, want)
		}
	}
}

func nan() float64 { zero := 0.0; return zero / zero }
