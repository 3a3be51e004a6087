package main

import (
	"fmt"

	"github.com/spf13/pflag"

	"foretoken/experiments"
	"foretoken/sampler"
)

// outputFlags are what a text is held to, and what is reported of it.
type outputFlags struct {
	json     bool
	schema   string
	strict   bool
	blanks   int
	bounds   map[string]int
	thinking int
	logprobs int
	flags    *pflag.FlagSet
}

func (o *outputFlags) add(f *pflag.FlagSet) {
	o.flags = f
	f.BoolVar(&o.json, "json", false, "hold the text to a JSON object")
	f.StringVar(&o.schema, "schema", "", "hold the text to the JSON schema in this file; what cannot be held to is refused by name")
	f.BoolVar(&o.strict, "strict", false, "with --schema: declared members only, where the schema does not say which others there may be")
	f.IntVar(&o.blanks, "blanks", experiments.DefaultBlanks, fmt.Sprintf("white-space characters in a row that JSON may have, 0 to %d", experiments.MaxBlanks))
	f.StringToIntVar(&o.bounds, "bounds", nil, "at most this much where a schema gives no bound, for models that go round in circles: characters=N of a string, digits=N of a number, items=N of a list")
	f.IntVar(&o.thinking, "thinking-budget", -1, "tokens of reasoning at most, then the thinking block is closed by force; -1: no limit")
	f.IntVar(&o.logprobs, "logprobs", -1, "print each token's log-probability and so many of the best at its place, 0 to 20; -1: none")
}

// resolve reads what the text is held to and how many log-probabilities to report,
// nil for none, or says what is wrong with the flags.
func (o *outputFlags) resolve() (h experiments.Constraint, logprobs *int, err error) {
	h = experiments.Constraint{JSON: o.json, Blanks: o.blanks, Thinking: o.thinking}
	switch {
	case o.json && o.schema != "":
		return h, nil, wrong("generate: --json and --schema exclude each other: a schema says more")
	case o.schema == "" && o.flags.Changed("schema"):
		return h, nil, wrong("generate: --schema is empty, want a file")
	case o.strict && o.schema == "":
		return h, nil, wrong("generate: --strict is of no use without --schema, whose declared members it means")
	case o.blanks < 0 || o.blanks > experiments.MaxBlanks:
		return h, nil, wrong("generate: --blanks %d, want 0 to %d", o.blanks, experiments.MaxBlanks)
	case o.flags.Changed("bounds") && !o.json && o.schema == "":
		return h, nil, wrong("generate: --bounds is of no use without --json or --schema")
	case o.flags.Changed("blanks") && !o.json && o.schema == "":
		return h, nil, wrong("generate: --blanks is of no use without --json or --schema")
	case o.thinking < -1:
		return h, nil, wrong("generate: --thinking-budget %d, want a number of tokens, or -1 for no limit", o.thinking)
	case o.logprobs < -1 || o.logprobs > sampler.MaxLogprobs:
		return h, nil, wrong("generate: --logprobs %d, want 0 to %d, or -1 for none", o.logprobs, sampler.MaxLogprobs)
	}
	if h.Bounds, err = boundsOf(o.bounds); err != nil {
		return h, nil, err
	}
	if o.schema != "" {
		h.Strict, h.Name = o.strict, "the JSON schema "+o.schema
		if h.Schema, err = experiments.ReadSchema(o.schema); err != nil {
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

// boundsOf reads the flag --bounds.
func boundsOf(flag map[string]int) (b experiments.Bounds, err error) {
	for name, n := range flag {
		switch name {
		case "characters":
			b.Characters = n
		case "digits":
			b.Digits = n
		case "items":
			b.Items = n
		default:
			return b, wrong("generate: --bounds %s=%d, want characters, digits or items", name, n)
		}
	}
	if err := b.Check(); err != nil {
		return b, wrong("generate: --bounds: %w", err)
	}
	return b, nil
}
