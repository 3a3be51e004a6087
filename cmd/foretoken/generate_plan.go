package main

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"

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
		g.constraint, logprobs, err = g.output.resolve()
	}
	var setup spec.Setup
	if err == nil {
		setup.Drafter, err = g.drafter.factory(c.Flags())
	}
	if err == nil {
		setup.Rule, err = rule(g.verifier)
	}
	if err == nil {
		err = g.prompt.resolve()
	}
	plain := g.drafter.name == "none"
	if g.stochastic {
		setup.Policy = verify.Stochastic
	}
	k := g.k
	switch {
	case err != nil:
		return q, setup, err
	case g.maxTokens == 0 || g.maxTokens < -1:
		return q, setup, wrong("generate: max tokens %d, want at least 1, or -1 for as many as the context holds", g.maxTokens)
	case g.model == "":
		return q, setup, wrong("generate: --model is missing: a folder, a GGUF file, or a name")
	case plain && c.Flags().Changed("k"):
		return q, setup, wrong("generate: -k %d is of no use without --drafter (%s)", g.k, drafterNames())
	case plain && c.Flags().Changed("verifier"):
		return q, setup, wrong("generate: --verifier %s is of no use without --drafter (%s)", g.verifier, drafterNames())
	case plain:
		k = 0
	case g.k < 1 || g.k > results.MaxK:
		return q, setup, wrong("generate: -k %d, want at least 1 and at most %d with --drafter %s", g.k, results.MaxK, g.drafter.name)
	}
	switch {
	case g.ignoreEOS && len(g.eos) > 0:
		return q, setup, wrong("generate: --eos and --ignore-eos exclude each other")
	case slices.Contains(g.stop, ""):
		return q, setup, wrong("generate: --stop is empty, want text")
	case g.ignoreEOS && (g.constraint.JSON || g.constraint.Schema != nil):
		return q, setup, wrong("generate: --ignore-eos goes on where JSON is whole; want one of the two")
	case config.Temperature > 0 && !plain && !g.stochastic:
		return q, setup, wrong("generate: --temperature %v with a drafter needs --stochastic; greedy speculation (temperature 0) is the default", config.Temperature)
	}
	return spec.Request{K: k, MaxTokens: g.maxTokens, Sampler: config, Seed: g.seed, Stop: g.stop, TopLogprobs: logprobs}, setup, nil
}

func rule(name string) (verify.Rule, error) {
	r, err := verify.ByName(name)
	if err != nil {
		return nil, wrong("no rule %q, want one of %s", name, strings.Join(verify.Names(), ", "))
	}
	return r, nil
}
