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
	var p speedFlags
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
		RunE: func(c *cobra.Command, args []string) error { return p.run(c, a, args[0]) },
	}
	f := c.Flags()
	f.StringVarP(&p.out, "out", "o", "", "file for the facts, as JSON; the table is written beside it")
	p.change.add(f)
	f.BoolVar(&p.plain, "plain", false, "without the config's drafters")
	f.IntVar(&p.repeats, "repeats", 2, "timings of each prompt")
	return c
}

type speedFlags struct {
	change  parityChange
	out     string
	repeats int
	plain   bool
}

func (p *speedFlags) run(c *cobra.Command, a app, file string) error {
	config, err := p.change.load("speed", file)
	switch {
	case err != nil:
		return err
	case p.repeats < 1:
		return wrong("speed: --repeats %d, want at least 1", p.repeats)
	case config.MaxTokens < 2:
		return wrong("speed: one token per prompt, want at least 2: the time after the first is measured")
	}
	if p.plain {
		config.Drafters, config.Reference.Draft = nil, ""
	}
	if p.out != "" {
		if err := canWrite(p.out, file); err != nil {
			return err
		}
	}
	times, err := runSpeed(c, a, config, file, p.repeats)
	if len(times.Arms) == 0 || len(times.Arms[0].Runs) == 0 { // else it says what it found, though it failed
		return err
	}
	err = errors.Join(err, times.Table().Text(a.out))
	if p.out != "" {
		err = errors.Join(err, writeSpeed(a, p.out, times))
	}
	return err
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
