package verify

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"

	"foretoken/model"
	"foretoken/sampler"
)

// The first token of Leviathan's rule is distributed as p where both distributions
// cover a vocabulary of several blocks, which takes another path than a few ids, and
// where the draft is a point. A correction from another law is seen at the same n.
func TestLawOfManyIds(t *testing.T) {
	r := rand.New(rand.NewPCG(31, 1))
	p, q := wideLaw(t, r, .5), wideLaw(t, r, 2)
	for name, drafted := range map[string]func(seed uint64) (sampler.Distribution, model.Token){
		"dense": func(seed uint64) (sampler.Distribution, model.Token) {
			return q, q.Sample(sampler.NewStream(seed, sampler.DraftStream))
		},
		"point": func(uint64) (sampler.Distribution, model.Token) { return sampler.Point(wideLikely), wideLikely },
	} {
		for fault, correct := range map[string]func(x model.Token, u float32) model.Token{
			"":                              nil,
			"from p":                        func(_ model.Token, u float32) model.Token { return p.Draw(u) },
			"from p but the refused one":    func(x model.Token, u float32) model.Token { return sampler.DrawResidual(p, sampler.Point(x), u) },
			"from q's excess, not from p's": func(_ model.Token, u float32) model.Token { return sampler.DrawResidual(q, p, u) },
		} {
			if name == "point" && fault == "from p but the refused one" {
				continue // that is the rule
			}
			counts := make([]float64, wideIds)
			for seed := range uint64(wideRuns) {
				d, x := drafted(seed)
				target := sampler.NewStream(seed, sampler.TargetStream)
				v, err := Leviathan{}.Verify(chain(d, x), func(int) (sampler.Distribution, error) { return p, nil },
					Streams{Coin: sampler.NewStream(seed, sampler.CoinStream), Target: target.At})
				if err != nil {
					t.Fatal(err)
				}
				switch {
				case v.Kind == Bonus:
				case correct != nil:
					x = correct(x, target.At(0))
				default:
					x = v.Next
				}
				counts[x]++
			}
			switch tail := tailOf(counts, p); {
			case fault == "" && !(tail > 1e-4):
				t.Errorf("%s: p = %.1e", name, tail)
			case fault != "" && !(tail < 1e-10):
				t.Errorf("%s, correction %s: p = %.1e, and is not seen", name, fault, tail)
			}
		}
	}
}

const (
	wideIds    = 1500
	wideRuns   = 60_000
	wideLikely = 400 // has a twentieth of p
)

func wideLaw(t *testing.T, r *rand.Rand, spread float64) sampler.Distribution {
	probs := make([]float64, wideIds)
	for i := range probs {
		probs[i] = math.Exp(spread * r.NormFloat64())
	}
	probs[wideLikely] = wideIds / 20
	return law(t, probs...)
}

// tailOf is the chance of counts at least as far from p: a chi-square over the ids
// that expect ten or more, and the rest as one; 1 less degrees of freedom than those.
func tailOf(counts []float64, p sampler.Distribution) float64 {
	chi2, df, rest, restGot := 0.0, -1.0, 0.0, 0.0
	add := func(got, want float64) { chi2, df = chi2+(got-want)*(got-want)/want, df+1 }
	for x, got := range counts {
		if want := wideRuns * p.Prob(model.Token(x)); want < 10 {
			rest, restGot = rest+want, restGot+got
		} else {
			add(got, want)
		}
	}
	if rest >= 10 {
		add(restGot, rest)
	}
	return distuv.ChiSquared{K: df}.Survival(chi2)
}
