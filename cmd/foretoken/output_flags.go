package main

import (
	"os"

	"github.com/spf13/pflag"

	"foretoken/experiments"
	"foretoken/sampler"
)

// outputFlags are what a text is held to, and what is reported of it.
type outputFlags struct {
	json     bool
	schema   string
	thinking int
	logprobs int
	flags    *pflag.FlagSet
}

func (o *outputFlags) add(f *pflag.FlagSet) {
	o.flags = f
	f.BoolVar(&o.json, "json", false, "hold the text to a JSON object")
	f.StringVar(&o.schema, "schema", "", "hold the text to the JSON schema in this file; what cannot be held to is refused by name")
	f.IntVar(&o.thinking, "thinking-budget", -1, "tokens of reasoning at most, then the thinking block is closed by force; -1: no limit")
	f.IntVar(&o.logprobs, "logprobs", -1, "print each token's log-probability and so many of the best at its place, 0 to 20; -1: none")
}

// resolve reads what the text is held to and how many log-probabilities to report,
// nil for none, or says what is wrong with the flags.
func (o *outputFlags) resolve() (h experiments.Constraint, logprobs *int, err error) {
	h = experiments.Constraint{JSON: o.json, Thinking: o.thinking}
	switch {
	case o.json && o.schema != "":
		return h, nil, wrong("generate: --json and --schema exclude each other: a schema says more")
	case o.schema == "" && o.flags.Changed("schema"):
		return h, nil, wrong("generate: --schema is empty, want a file")
	case o.thinking < -1:
		return h, nil, wrong("generate: --thinking-budget %d, want a number of tokens, or -1 for no limit", o.thinking)
	case o.logprobs < -1 || o.logprobs > sampler.MaxLogprobs:
		return h, nil, wrong("generate: --logprobs %d, want 0 to %d, or -1 for none", o.logprobs, sampler.MaxLogprobs)
	}
	if o.schema != "" {
		if h.Schema, err = os.ReadFile(o.schema); err != nil {
			return h, nil, badInput{err}
		}
		if err := h.Check(); err != nil {
			return h, nil, wrong("generate: --schema %s: %w", o.schema, err)
		}
	}
	if o.logprobs >= 0 {
		logprobs = &o.logprobs
	}
	return h, logprobs, nil
}
