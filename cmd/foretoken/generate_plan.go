package main

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"foretoken/draft"
	"foretoken/results"
	"foretoken/spec"
	"foretoken/verify"
)

// plan refuses flags that do not go together.
func (g *generation) plan(c *cobra.Command) (spec.Request, spec.Setup, error) {
	var q spec.Request
	config, err := g.sampler.resolve()
	var logprobs *int
	if err == nil {
		g.hold, logprobs, err = g.output.resolve()
	}
	g.options.Blind = g.blind
	setup := spec.Setup{Drafter: g.drafter, Draft: g.options, Verifier: g.verifier}
	if g.stochastic {
		setup.Policy = verify.Stochastic
	}
	k := g.k
	switch {
	case err != nil:
		return q, setup, err
	case !slices.Contains(draft.Names(), g.drafter):
		return q, setup, wrong("generate: no drafter %q, want one of %s", g.drafter, drafterNames())
	case !slices.Contains(verify.Names(), g.verifier):
		return q, setup, wrong("generate: no rule %q, want one of %s", g.verifier, strings.Join(verify.Names(), ", "))
	case g.maxTokens == 0 || g.maxTokens < -1:
		return q, setup, wrong("generate: max tokens %d, want at least 1, or -1 for as many as the context holds", g.maxTokens)
	case g.model == "":
		return q, setup, wrong("generate: --model is missing: a folder, a GGUF file, or a name")
	case g.drafter == "none" && c.Flags().Changed("k") && g.k != 0:
		return q, setup, wrong("generate: -k %d is of no use without --drafter (%s)", g.k, drafterNames())
	case g.drafter == "none":
		k = 0
	case g.k < 1 || g.k > results.MaxK:
		return q, setup, wrong("generate: -k %d, want at least 1 and at most %d with --drafter %s", g.k, results.MaxK, g.drafter)
	}
	for _, o := range []struct{ flag, drafter string }{{"layers", "layerskip"}, {"min-n", "ngram"}, {"max-n", "ngram"}} {
		if c.Flags().Changed(o.flag) && g.drafter != o.drafter {
			return q, setup, wrong("generate: --%s is of --drafter %s, and of no use with %s", o.flag, o.drafter, g.drafter)
		}
	}
	switch {
	case (g.drafter == "model") != (g.draftModel != ""):
		return q, setup, wrong("generate: --drafter model and --draft-model go together")
	case (g.drafter == "eagle") != (g.head != ""):
		return q, setup, wrong("generate: --drafter eagle and --head go together")
	case slices.Contains(g.stop, ""):
		return q, setup, wrong("generate: --stop is empty, want text")
	case g.ignoreEOS && (g.hold.JSON || g.hold.Schema != nil):
		return q, setup, wrong("generate: --ignore-eos goes on where JSON is whole; want one of the two")
	case g.blind && (g.drafter == "none" || g.drafter == "ngram"):
		return q, setup, wrong("generate: --blind is of no use with --drafter %s, which knows of no constraint", g.drafter)
	case g.system != "" && !g.chat:
		return q, setup, wrong("generate: --system needs --chat")
	case config.Temperature > 0 && g.drafter != "none" && !g.stochastic:
		return q, setup, wrong("generate: --temperature %v with a drafter needs --stochastic; greedy speculation (temperature 0) is the default", config.Temperature)
	}
	return spec.Request{K: k, MaxTokens: g.maxTokens, Sampler: config, Seed: g.seed, Stop: g.stop, TopLogprobs: logprobs}, setup, nil
}
