package spec_test

import (
	"fmt"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"

	"foretoken/model"
	"foretoken/sampler"
	"foretoken/spec"
	"foretoken/verify"
)

const (
	lawLength = 4     // tokens whose joint law is compared: 4^4 cells
	lawRuns   = 12000 // one seed each
	green     = 1e-4  // a right law stays above
	red       = 1e-10 // a wrong one falls below
)

// The joint law of the first tokens is the target's, whatever drafts and
// whatever judges. Every run is one draw, so cells are independent; pairs of
// tokens are margins of it. Plain decoding ("none") is the control.
func TestLaw(t *testing.T) {
	for name, r := range drafters(markov, guess) {
		for engine := range engines {
			for settings := range laws {
				holdsLaw(t, r, "leviathan", name, engine, settings)
			}
		}
		for settings := range laws { // bit for bit plain decoding, by another test
			holdsLaw(t, r, "match", name, "free", settings)
		}
		r.blind = true
		holdsLaw(t, r, "leviathan", name, "grammar", "everything")
	}
}

func holdsLaw(t *testing.T, r rig, rule, name, engine, settings string) {
	t.Run(fmt.Sprintf("%s/%s/%s/%s/blind=%v", rule, name, engine, settings, r.blind), func(t *testing.T) {
		t.Parallel()
		r.rule, r.engine, r.cfg = rule, engines[engine], laws[settings]
		if p, df := lawTail(t, r, engine); p < green {
			t.Errorf("p = %.1e with %d degrees of freedom", p, df)
		}
	})
}

// laws are the sampler settings whose output law is tested.
var laws = map[string]sampler.Config{
	"temperature": config(1, false),
	"penalties":   config(1, true),
	"filters":     filtered(config(.8, false)),
	"everything":  filtered(config(1.3, true)),
	"mlx-lm":      mlxlm(filtered(config(1.3, true))),
}

func mlxlm(c sampler.Config) sampler.Config {
	c.Order = sampler.MLXLM
	return c
}

func filtered(c sampler.Config) sampler.Config {
	c.TopP, c.MinP, c.TopK = .9, .12, 3
	return c
}

// Planted faults turn the law red at the same number of runs.
func TestLawSeesFaults(t *testing.T) {
	for name, c := range map[string]struct {
		settings string
		fault    func(rig, *spec.Setup, *spec.Request)
	}{
		"correction from p":        {"temperature", wrapRule(func(verify.Rule) verify.Rule { return fromTarget{} })},
		"coin ignores q":           {"temperature", wrapRule(func(verify.Rule) verify.Rule { return ignoresQ{} })},
		"q before the filters":     {"filters", rawQ},
		"coin shared with target":  {"temperature", wrapRule(func(verify.Rule) verify.Rule { return sharedCoin{} })},
		"verify rows off by one":   {"temperature", wrapRule(func(r verify.Rule) verify.Rule { return offByOne{r} })},
		"coin on the draft stream": {"temperature", draftCoin},
		"windows count the prompt": {"penalties", countPrompt},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := drafters(markov, guess)["model"]
			r.cfg, r.fault = laws[c.settings], c.fault
			if p, df := lawTail(t, r, "free"); p > red {
				t.Errorf("p = %.1e with %d degrees of freedom: the fault is not seen", p, df)
			}
		})
	}
}

// lawTail is the chance of a law at least as far from the target's as this one.
func lawTail(t *testing.T, r rig, engine string) (p float64, df int) {
	t.Helper()
	want := map[[lawLength]model.Token]float64{}
	oracle{r, engine}.enumerate(nil, 1, want)
	got := map[[lawLength]model.Token]float64{}
	for seed := range uint64(lawRuns) {
		r.seed = seed
		out, _ := r.run(t, 3, lawLength+2)
		got[[lawLength]model.Token(out)]++
	}
	for key := range got {
		if want[key] == 0 {
			return 0, 0 // impossible, not improbable
		}
	}
	chi2, rest, restGot := 0.0, 0.0, 0.0
	add := func(got, want float64) { chi2, df = chi2+(got-want)*(got-want)/want, df+1 }
	for key, p := range want {
		if e := p * lawRuns; e < 10 { // cells too thin for the approximation are one
			rest, restGot = rest+e, restGot+got[key]
		} else {
			add(got[key], e)
		}
	}
	if rest >= 10 {
		add(restGot, rest)
	}
	df--
	return distuv.ChiSquared{K: float64(df)}.Survival(chi2), df
}
