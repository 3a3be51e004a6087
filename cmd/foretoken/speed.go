package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"foretoken/experiments/parity"
	"foretoken/results"
)

func speedCommand(a app) *cobra.Command {
	var out, python string
	var limit, maxTokens, repeats int
	var plain bool
	c := &cobra.Command{
		Use:   "speed CONFIG",
		Short: "Race engines against mlx-lm",
		Long: `Time the same prompts, greedily, on mlx-lm, plain and by its own speculation, and on
each engine and drafter of a config as foretoken parity takes it, prompt by prompt in
turn, and print how many times as fast each is.

A machine that does nothing else gives figures that mean something. What was raced
before Ctrl-C is printed, and written. 'make mlx' makes the Python that mlx-lm runs in.`,
		Example: `  foretoken speed experiments/parity/speed.yaml
  foretoken speed experiments/parity/speed.yaml --limit 1 --max-tokens 16 --repeats 1`,
		RunE: func(c *cobra.Command, args []string) error {
			config, err := parity.Load(args[0])
			if err != nil {
				return badInput{err}
			}
			switch {
			case repeats < 1:
				return wrong("speed: --repeats %d, want at least 1", repeats)
			case limit < 0:
				return wrong("speed: --limit %d, want at least 1", limit)
			case maxTokens < 0:
				return wrong("speed: --max-tokens %d, want at least 1", maxTokens)
			case config.MaxTokens < 2 || maxTokens == 1:
				return wrong("speed: one token a prompt, want at least 2: what follows the first is timed")
			}
			for i := range config.Prompts {
				if limit > 0 {
					config.Prompts[i].Limit = limit
				}
			}
			if maxTokens > 0 {
				config.MaxTokens = maxTokens
			}
			if python != "" {
				config.Reference.Python = python
			}
			if plain {
				config.Drafters, config.Reference.Draft = nil, ""
			}
			if out != "" {
				if err := canWrite(out, args[0]); err != nil {
					return err
				}
			}
			times, err := runSpeed(c, a, config, args[0], repeats)
			if len(times.Arms) == 0 || len(times.Arms[0].Runs) == 0 { // else it says what it found, though it failed
				return err
			}
			err = errors.Join(err, times.Table().Text(a.out))
			if out != "" {
				err = errors.Join(err, writeSpeed(a, out, times))
			}
			return err
		},
	}
	f := c.Flags()
	f.StringVarP(&out, "out", "o", "", "file for the facts, as JSON; the table is written beside it")
	f.StringVar(&python, "python", "", "Python that has mlx-lm, instead of the config's")
	f.IntVar(&limit, "limit", 0, "prompts of each domain of each set, instead of the config's")
	f.IntVar(&maxTokens, "max-tokens", 0, "tokens a prompt, instead of the config's")
	f.BoolVar(&plain, "plain", false, "without the config's drafters")
	f.IntVar(&repeats, "repeats", 2, "times that each prompt is timed")
	return c
}

func runSpeed(c *cobra.Command, a app, config parity.Config, file string, repeats int) (t parity.Times, err error) {
	m, err := meet(c, a, config, file)
	if err != nil {
		return t, err
	}
	defer func() { err = errors.Join(err, m.close()) }()
	return parity.Race{Config: config, Made: m.made, Peer: m.bridge, Cells: m.cells, Requests: m.requests, Repeats: repeats,
		Say: func(s string) { fmt.Fprintln(a.err, s) }}.Run(c.Context())
}

func writeSpeed(a app, path string, t parity.Times) error {
	data, err := json.MarshalIndent(t, "", " ")
	if err != nil {
		return err
	}
	var text bytes.Buffer
	if err := t.Table().Markdown(&text); err != nil {
		return err
	}
	table := strings.TrimSuffix(path, filepath.Ext(path)) + ".md"
	if err := errors.Join(results.WriteFile(path, append(data, '\n')), results.WriteFile(table, text.Bytes())); err != nil {
		return err
	}
	_, err = fmt.Fprintf(a.out, "wrote %s\nwrote %s\n", path, table)
	return err
}
