package sampler_test

import (
	"testing"

	"foretoken/model"
	"foretoken/sampler"
	"foretoken/sampler/samplertest"
)

// A successor has one token more, generated, and its engine's next state: penalties that
// count generated tokens alone see the drafted ones.
func TestNextPosition(t *testing.T) {
	at := sampler.Position{History: []model.Token{1, 2, 3}, Generated: 1, Engine: samplertest.NoRepeat{Last: 3}}
	for i, x := range []model.Token{4, 5} {
		next, err := at.Next(x)
		if err != nil {
			t.Fatal(err)
		}
		if next.Generated != 2+i || len(next.History) != 4+i || next.History[3+i] != x || next.Engine != (samplertest.NoRepeat{Last: x}) {
			t.Errorf("after %d: %+v", x, next)
		}
		at = next
	}
	cfg := sampler.NewConfig(1)
	cfg.Penalties.Presence = 5
	b, err := sampler.NewBuilder(cfg, 6, 6)
	if err != nil {
		t.Fatal(err)
	}
	p, err := b.SamplingDistribution(model.Row(make([]float32, 6)), 0, sampler.Position{History: at.History, Generated: at.Generated})
	if err != nil {
		t.Fatal(err)
	}
	if p.Prob(4) != p.Prob(5) || p.Prob(3) != p.Prob(5) || !(p.Prob(1) > p.Prob(5)) || p.Prob(1) != p.Prob(2) {
		t.Errorf("p(1..5) = %v %v %v %v %v, want 3, 4 and 5 penalised", p.Prob(1), p.Prob(2), p.Prob(3), p.Prob(4), p.Prob(5))
	}
}
