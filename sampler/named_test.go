package sampler_test

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"foretoken/model"
	"foretoken/sampler"
)

// A distribution from ids and probabilities has just those, in any order of the ids.
func TestNewDistribution(t *testing.T) {
	d, err := sampler.NewDistribution("mine", []model.Token{7, 2, 5, 9}, []float64{.25, .5, .25, 0})
	if err != nil {
		t.Fatal(err)
	}
	want := map[model.Token]float64{2: .5, 5: .25, 7: .25, 9: 0, 3: 0}
	for x, p := range want {
		if d.Prob(x) != p {
			t.Errorf("p(%d) = %v, want %v", x, d.Prob(x), p)
		}
	}
	if d.Fingerprint() != "mine" || d.Len() != 3 || d.Draw(.6) != 5 || d.Draw(.99) != 7 {
		t.Errorf("%q of %d tokens draws %d and %d", d.Fingerprint(), d.Len(), d.Draw(.6), d.Draw(.99))
	}
	one, err := sampler.NewDistribution("mine", []model.Token{4}, []float64{1})
	if err != nil || !one.IsPoint() || one.Fingerprint() != "mine" {
		t.Errorf("one token: %+v %v", one, err)
	}
}

// Whatever is no distribution is refused, in words.
func TestNewDistributionRefuses(t *testing.T) {
	for want, c := range map[string]struct {
		law    string
		tokens []model.Token
		probs  []float64
	}{
		"without a fingerprint": {"", []model.Token{1}, []float64{1}},
		"2 tokens and 1":        {"x", []model.Token{1, 2}, []float64{1}},
		"0 tokens and 0":        {"x", nil, nil},
		"each once":             {"x", []model.Token{2, 2}, []float64{.5, .5}},
		"ids of at least 0":     {"x", []model.Token{-1}, []float64{1}},
		"probability NaN":       {"x", []model.Token{1, 2}, []float64{math.NaN(), 1}},
		"probability -0.5":      {"x", []model.Token{1, 2}, []float64{-.5, 1.5}},
		"probability +Inf":      {"x", []model.Token{1, 2}, []float64{math.Inf(1), 1}},
		"sum to 0.9":            {"x", []model.Token{1, 2}, []float64{.5, .4}},
		"sum to 0,":             {"x", []model.Token{1, 2}, []float64{0, 0}},
	} {
		if _, err := sampler.NewDistribution(c.law, c.tokens, c.probs); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}

// A weighted residual is its formula, and Residual where the weight is 1.
func TestWeightedResidual(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 500 {
		p, q := randomly(t, rng), randomly(t, rng)
		w := .05 + 2*rng.Float64()
		got, sum := sampler.WeightedResidual(p, q, w), 0.0
		for x := range model.Token(12) {
			sum += max(w*p.Prob(x)-q.Prob(x), 0)
		}
		for x := range model.Token(12) {
			want := p.Prob(x) // where nothing is left
			if sum > 0 {
				want = max(w*p.Prob(x)-q.Prob(x), 0) / sum
			}
			if math.Abs(got.Prob(x)-want) > 1e-12 {
				t.Fatalf("weight %v: %v for token %d, want %v", w, got.Prob(x), x, want)
			}
		}
		one, plain := sampler.WeightedResidual(p, q, 1), sampler.Residual(p, q)
		for x := range model.Token(12) {
			if one.Prob(x) != plain.Prob(x) {
				t.Fatalf("weight 1: %v for token %d, Residual says %v", one.Prob(x), x, plain.Prob(x))
			}
		}
	}
}

func randomly(t *testing.T, rng *rand.Rand) sampler.Distribution {
	t.Helper()
	var tokens []model.Token
	var probs []float64
	sum := 0.0
	for x := range model.Token(12) {
		if rng.IntN(3) > 0 || x == 0 {
			tokens, probs = append(tokens, x), append(probs, .01+rng.Float64())
			sum += probs[len(probs)-1]
		}
	}
	for i := range probs {
		probs[i] /= sum
	}
	d, err := sampler.NewDistribution("random", tokens, probs)
	if err != nil {
		t.Fatal(err)
	}
	return d
}
