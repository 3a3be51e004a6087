package main

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"foretoken/model"
	"foretoken/sampler"
)

func sampleCommand(a app) *cobra.Command {
	var s samplerFlags
	var format, history string
	var seed uint64
	var at, generated, top int
	var asJSON bool
	c := &cobra.Command{
		Use:   "sample FILE",
		Short: "Show the distribution that a row of logits gives, and its draw",
		Long: `Turn one row of logits into the distribution of the next token, as every drafter
and verifier here does, and draw from it. FILE is a JSON array (null is -infinity)
or raw little-endian float32 (.f32); - is JSON on standard input. An id of --history
or --logit-bias has to be one of the row's.`,
		Example: `  echo '[3, 2, 1]' | foretoken sample - --temperature 0.5 --top-p 0.8
  echo '[3, 2, 1]' | foretoken sample - --temperature 0.5 --top-p 0.8 --order mlx-lm
  foretoken sample row.f32 --temperature 0.8 --top-k 40 --repetition 1.1 --history 5,17,5`,
		RunE: func(c *cobra.Command, args []string) error {
			config, err := s.resolve()
			if err != nil {
				return err
			}
			past, err := ids(history)
			if err != nil {
				return wrong("--history: %w", err)
			}
			if !c.Flags().Changed("generated") {
				generated = len(past)
			}
			switch {
			case generated < 0 || generated > len(past):
				return wrong("sample: --generated %d, want 0 to %d, the tokens of --history", generated, len(past))
			case at < 0:
				return wrong("sample: --position %d, want at least 0", at)
			case top < 0:
				return wrong("sample: --top %d, want at least 0", top)
			}
			row, err := readLogits(args[0], format, a.in)
			if err != nil {
				return badInput{err}
			}
			if i := slices.IndexFunc(past, func(t model.Token) bool { return int(t) >= len(row) }); i >= 0 {
				return wrong("sample: --history: id %d, want below %d, the logits of %s", past[i], len(row), args[0])
			}
			if err := config.Within(len(row)); err != nil {
				return wrong("%s: %w", args[0], err)
			}
			b, err := sampler.NewBuilder(config, len(row), len(row))
			if err != nil {
				return badInput{err}
			}
			d, err := b.SamplingDistribution(row, 0, sampler.Position{History: past, Generated: generated})
			if err != nil {
				return badInput{err}
			}
			fmt.Fprintln(a.err, flagLine(c))
			u := sampler.NewPCG32(seed, sampler.TargetStream).At(at)
			return printSample(a, d, u, top, asJSON)
		},
	}
	f := c.Flags()
	s.add(f)
	f.StringVar(&format, "format", "auto", "json, f32, or auto: by the file's name, .json or .f32")
	f.StringVar(&history, "history", "", "ids before this position, with commas, for the penalties")
	f.IntVar(&generated, "generated", -1, "how many of them, the last, are not prompt (default all)")
	f.Uint64Var(&seed, "seed", sampler.DefaultSeed, "seed of the draw")
	f.IntVar(&at, "position", 0, "generated position, whose number of the stream is drawn with")
	f.IntVar(&top, "top", 20, "most probable tokens to print; 0 prints all")
	f.BoolVar(&asJSON, "json", false, "print JSON, the whole support")
	return c
}

// A choice is one token of a support.
type choice struct {
	ID          model.Token `json:"id"`
	Probability float64     `json:"probability"`
}

func printSample(a app, d sampler.Distribution, u float32, top int, asJSON bool) error {
	support := choices(d)
	drawn := d.Draw(u)
	if asJSON {
		return json.NewEncoder(a.out).Encode(map[string]any{"fingerprint": d.Fingerprint(), "support": support, "number": u, "draw": drawn})
	}
	t := supportTable(support, top)
	if err := t.Text(a.out); err != nil {
		return err
	}
	_, err := fmt.Fprintf(a.out, "draw %d (probability %.6g, at %.6f)\nlaw  %s\n", drawn, d.Prob(drawn), u, d.Fingerprint())
	return err
}
