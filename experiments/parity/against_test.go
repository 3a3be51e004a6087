package parity_test

import (
	"errors"
	"math/rand/v2"
	"strings"
	"testing"

	"foretoken/draft"
	"foretoken/experiments"
	"foretoken/experiments/parity"
	"foretoken/model"
	"foretoken/model/checkpoint"
	"foretoken/sampler"
)

// numbers are of Go's generator.
type numbers struct{ r *rand.Rand }

func (numbers) Close()                   {}
func (n numbers) Next() (float32, error) { return n.r.Float32(), nil }

func noises(seed uint64) (parity.Noise, error) {
	return numbers{rand.New(rand.NewPCG(seed, 1))}, nil
}

// drawer is a peer that draws as mlx-lm does, with a fault or none.
type drawer struct {
	peer
	fault string
	asked map[string]int
}

func (p drawer) Speculate(prompt []model.Token, n, step, k int) ([]model.Token, error) {
	p.asked["speculation"]++
	text, err := p.Greedy(prompt, n, step)
	if p.fault == "speculation" {
		text[n-1] = (text[n-1] + 1) % 64
	}
	return text, err
}

func (p drawer) Sample(prompt []model.Token, n, _ int, how parity.Sampling) (text []model.Token, err error) {
	p.asked["sampling"]++
	c := how.Config()
	switch p.fault {
	case "order":
		c.Order = sampler.TemperatureFirst
	case "temperature":
		c.Temperature *= 1.05
	case "key":
		how.Seed++
	}
	b, err1 := sampler.NewBuilder(c, 64, 64)
	s, err2 := p.m.NewSession()
	if err := errors.Join(err1, err2); err != nil {
		return nil, err
	}
	noise, _ := noises(how.Seed)
	for todo := prompt; len(text) < n; todo = text[len(text)-1:] {
		l, err := s.Forward(todo, 1)
		if err != nil {
			return nil, err
		}
		d, err := b.SamplingDistribution(l, 0, sampler.Position{History: prompt})
		if err != nil {
			return nil, err
		}
		u, _ := noise.Next()
		t, mass := model.Token(0), d.Prob(0)
		for ; mass <= float64(u) && t < 63; mass += d.Prob(t) {
			t++
		}
		text = append(text, t)
	}
	return text, nil
}

// Sampled text is held against sampled text token by token, and a second model's
// drafts against the peer's own speculation; what differs in either is a defect.
func TestLikeAgainstLike(t *testing.T) {
	m := build(t, func(*checkpoint.Checkpoint) {})
	for _, fault := range []string{"", "order", "temperature", "key", "speculation"} {
		p := drawer{peer{m}, fault, map[string]int{}}
		config := parity.Config{Engines: []string{"it"}, Drafters: []experiments.Drafter{{Name: "ngram", K: []int{3}, Options: &draft.Ngram{}}, {Name: "model", K: []int{2}, Options: &draft.Model{Draft: draft.ModelRef{Name: "it"}}}},
			Splits: []int{0}, MaxTokens: 60, Tolerance: 1e-6, Reference: parity.Reference{Draft: "it"},
			Sampled: []parity.Sampling{{Temperature: .8, TopP: .6, Seed: 3}, {Temperature: 1.3, Seed: 4}}}
		cells, _, err := config.Cells(experiments.NewModels(func(string) (*experiments.Opened, error) {
			return &experiments.Opened{Model: m, Tokenizer: noWords{}}, nil
		}))
		if err != nil {
			t.Fatal(err)
		}
		requests := []parity.Request{{ID: "a", Prompt: []model.Token{1, 2, 3, 4, 5}}, {ID: "b", Prompt: []model.Token{9, 8, 9, 8, 9}}}
		r, err := parity.Comparison{Config: config, Peer: p, Cells: cells, Requests: requests, Noise: noises, Say: func(string) {}}.Run(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if n := r.Defects(); (n > 0) != (fault != "") {
			t.Errorf("fault %q: %d defects", fault, n)
		}
		if len(r.Cells) != 5 || p.asked["speculation"] != 2 || p.asked["sampling"] != 4 {
			t.Errorf("%d cells, asked for %v", len(r.Cells), p.asked)
		}
		for _, c := range r.Cells {
			its := fault == "speculation" && c.Drafter == "model" || fault != "" && fault != "speculation" && strings.Contains(c.Against.String(), "temperature")
			if !its && c.Count(parity.Equal) != 2 {
				t.Errorf("fault %q: %s against %v: %+v", fault, c.Drafter, c.Against, c.Outcomes)
			}
		}
	}
}

// noWords is a tokenizer of which only the pair's check asks.
type noWords struct{ experiments.Tokenizer }

func (noWords) Vocab() int               { return 64 }
func (noWords) Piece(model.Token) string { return "" }
