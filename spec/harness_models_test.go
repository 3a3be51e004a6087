//go:build models

package spec_test

import (
	"testing"
	"time"

	"foretoken/draft"
	"foretoken/model"
	"foretoken/model/checkpoint"
	"foretoken/model/modeltest"
	"foretoken/model/ref"
	"foretoken/model/tokenizer"
	"foretoken/sampler"
	"foretoken/spec"
	"foretoken/verify"
)

// BenchmarkHarness prints what share of the rounds' time is spent outside the
// forwards of draft and target: proposing, building distributions, judging, rolling
// back, streaming. It should stay below 2 % of rounds in float32; those on quantised
// weights are four times as short.
func BenchmarkHarness(b *testing.B) {
	b.Run("float32", func(b *testing.B) { harness(b, ref.NewFloat32) })
	b.Run("quantised", func(b *testing.B) { harness(b, ref.New) })
}

func harness(b *testing.B, load func(*checkpoint.Checkpoint) (model.Model, error)) {
	open := func(path string) model.Model {
		c, err := checkpoint.Open(path)
		check(b, err)
		defer c.Close()
		m, err := load(c)
		check(b, err)
		return m
	}
	target, drafter := open(modeltest.SmolLM2(b)), open("../model/drafters/smollm2-two-model/model.gguf")
	prompts, words := smolPrompts(b), openWords(b)
	everything := sampler.NewConfig(.8)
	everything.TopP, everything.MinP, everything.TopK = .9, .05, 40
	everything.Penalties = sampler.Penalties{Repetition: 1.1, Window: sampler.DefaultWindow}
	for _, c := range []struct {
		name, drafter string
		cfg           sampler.Config
	}{
		{"plain, greedy", "none", sampler.NewConfig(0)},
		{"ngram, greedy", "ngram", sampler.NewConfig(0)},
		{"layerskip, greedy", "layerskip", sampler.NewConfig(0)},
		{"two-model, greedy", "model", sampler.NewConfig(0)},
		{"layerskip, full chain at 0.8", "layerskip", everything},
		{"two-model, full chain at 0.8", "model", everything},
		{"plain, temperature 1 alone", "none", sampler.NewConfig(1)},
		{"ngram, temperature 1 alone", "ngram", sampler.NewConfig(1)},
		{"layerskip, temperature 1 alone", "layerskip", sampler.NewConfig(1)},
		{"two-model, temperature 1 alone", "model", sampler.NewConfig(1)},
	} {
		b.Run(c.name, func(b *testing.B) {
			var inside, whole time.Duration
			for b.Loop() {
				for _, p := range prompts[:4] {
					forwards := new(time.Duration)
					factories := map[string]draft.Factory{"ngram": &draft.Ngram{}, "layerskip": &draft.LayerSkip{Layers: 24}, "model": drafts(timed{drafter, forwards})}
					s := spec.Setup{Target: timed{target, forwards}, Drafter: factories[c.drafter], Policy: verify.Stochastic}
					got, err := spec.Generate(b.Context(), s, spec.Request{Prompt: p.Prompt, K: 4, MaxTokens: 48, Sampler: c.cfg, Seed: 1,
						Text: words.NewStream(), Emit: func(spec.Emission) error { return nil }})
					check(b, err)
					for _, r := range got.Rounds {
						whole += r.Time()
					}
					inside += *forwards - got.Facts.PrefillTarget - got.Facts.PrefillDraft
				}
			}
			b.ReportMetric(100*float64(whole-inside)/float64(whole), "%outside")
		})
	}
}

func openWords(b *testing.B) *tokenizer.Tokenizer {
	c := smolCheckpoint(b)
	defer c.Close()
	words, err := tokenizer.FromGGUF(c.GGUF)
	check(b, err)
	return words
}

// timed is a model whose sessions add up how long their forwards take.
type timed struct {
	model.Model
	spent *time.Duration
}

func (m timed) NewSession() (model.Session, error) {
	s, err := m.Model.NewSession()
	return timedSession{s, m.spent}, err
}

func (m timed) FirstLayers(n int) (model.Model, error) {
	f, err := m.Model.(model.LayerSkipper).FirstLayers(n)
	return timed{f, m.spent}, err
}

type timedSession struct {
	model.Session
	spent *time.Duration
}

func (s timedSession) Forward(tokens []model.Token, rows int) (model.Logits, error) {
	start := time.Now()
	l, err := s.Session.Forward(tokens, rows)
	if err == nil {
		err = l.Wait()
	}
	*s.spent += time.Since(start)
	return l, err
}
