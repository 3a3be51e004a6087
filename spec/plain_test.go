package spec_test

import (
	"fmt"
	"slices"
	"testing"

	"foretoken/sampler"
)

// each calls f for every drafter, constraint, penalty and temperature.
func each(t *testing.T, f func(t *testing.T, r rig, temperature float32)) {
	for name, r := range drafters(hash, cousin) {
		for engine, e := range engines {
			for _, penalties := range []bool{false, true} {
				for _, temperature := range []float32{0, 1} {
					t.Run(fmt.Sprintf("%s/%s/penalties=%v/t=%v", name, engine, penalties, temperature), func(t *testing.T) {
						r.engine, r.cfg, r.blind = e, config(temperature, penalties), temperature > 0
						f(t, r, temperature)
					})
				}
			}
		}
	}
}

// With nothing drafted, with the match rule, or at temperature 0, speculation
// emits the very tokens of plain decoding.
func TestPlainBitForBit(t *testing.T) {
	each(t, func(t *testing.T, r rig, temperature float32) {
		plain := r
		plain.drafter, plain.rule = "none", "leviathan"
		want, _ := plain.run(t, 0, 48)
		for k := range 9 {
			for _, rule := range []string{r.rule, "match"} {
				if rule != "match" && k > 0 && temperature > 0 {
					continue
				}
				r.rule = rule
				if got, _ := r.run(t, k, 48); !slices.Equal(got, want) {
					t.Errorf("%s k=%d:\n got %v\nwant %v", rule, k, got, want)
				}
			}
		}
	})
}

// The token at generated position t is what number t draws, so a generation
// resumed anywhere goes on as if it had not stopped.
func TestNumberIsPosition(t *testing.T) {
	each(t, func(t *testing.T, r rig, temperature float32) {
		r.rule = "match"
		want, _ := r.run(t, 3, 24)
		info := r.target.Info()
		b, err := sampler.NewBuilder(r.cfg, info.Vocab, info.Real)
		check(t, err)
		at := sampler.Position{History: slices.Clone(r.prompt), Engine: r.engine}
		numbers := sampler.NewStream(r.seed, sampler.TargetStream)
		for i, x := range want {
			s, _ := r.target.NewSession()
			logits, err := s.Forward(at.History, 1)
			check(t, err)
			p, err := b.SamplingDistribution(logits, 0, at)
			check(t, err)
			if got := p.Draw(numbers.At(i)); got != x {
				t.Fatalf("token %d is %d, number %d draws %d", i, x, i, got)
			}
			resumed := r
			resumed.done, resumed.engine = want[:i], at.Engine
			if got, _ := resumed.run(t, 3, 24-i); !slices.Equal(got, want[i:]) {
				t.Fatalf("resumed at %d: %v, want %v", i, got, want[i:])
			}
			at, err = at.Next(x)
			check(t, err)
		}
	})
}
