package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"foretoken/experiments"
	"foretoken/experiments/parity"
	"foretoken/model/load"
	"foretoken/results"
)

func parityCommand(a app) *cobra.Command {
	var out string
	var limit, maxTokens int
	c := &cobra.Command{
		Use:   "parity CONFIG",
		Short: "Compare engines with mlx-lm, token by token and logit by logit",
		Long: `Run the same prompts through mlx-lm and through each engine, drafter, draft length
and prefill split of a config, greedily, and print a matrix: equal, near-tie or
defect. The exit status is 1 where there is a defect.

'make mlx' makes the Python that mlx-lm runs in.`,
		Example: `  foretoken parity experiments/parity/smollm2.yaml
  foretoken parity experiments/parity/smollm2.yaml --limit 1 --max-tokens 16`,
		RunE: func(c *cobra.Command, args []string) (err error) {
			config, err := parity.Load(args[0])
			if err != nil {
				return badInput{err}
			}
			switch {
			case limit < 0:
				return wrong("parity: --limit %d, want at least 1", limit)
			case maxTokens < 0:
				return wrong("parity: --max-tokens %d, want at least 1", maxTokens)
			}
			for i := range config.Prompts {
				if limit > 0 {
					config.Prompts[i].Limit = limit
				}
			}
			if maxTokens > 0 {
				config.MaxTokens = maxTokens
			}
			if out != "" { // before the work, not after it
				if err := canWrite(out); err != nil {
					return err
				}
			}
			report, err := runParity(c, a, config, args[0])
			if err != nil {
				return err
			}
			for _, t := range report.Tables() {
				if err := t.Text(a.out); err != nil {
					return err
				}
			}
			if out != "" {
				if err := writeParity(out, report); err != nil {
					return err
				}
				fmt.Fprintln(a.out, "wrote "+out)
			}
			if n := report.Defects(); n > 0 {
				return fmt.Errorf("parity: %d defects", n)
			}
			return nil
		},
	}
	f := c.Flags()
	f.StringVarP(&out, "out", "o", "", "file for the facts, as JSON")
	f.IntVar(&limit, "limit", 0, "prompts of each domain of each set, instead of the config's")
	f.IntVar(&maxTokens, "max-tokens", 0, "tokens a prompt, instead of the config's")
	return c
}

func runParity(c *cobra.Command, a app, config parity.Config, file string) (report parity.Report, err error) {
	path, err := load.Find(config.Reference.Model)
	if err != nil {
		return report, err
	}
	prompts, _, err := experiments.LoadPrompts(config.Prompts, filepath.Dir(file), load.Folder())
	if err != nil {
		return report, err
	}
	cells, first, done, err := config.Cells(a.open)
	defer func() { err = errors.Join(err, done()) }()
	if err != nil {
		return report, badInput{err}
	}
	requests, err := parity.Encode(prompts, first.Tokenizer)
	if err != nil {
		return report, badInput{err}
	}
	bridge, err := parity.Start(config.Reference, path, a.err)
	if err != nil {
		return report, err
	}
	defer func() { err = errors.Join(err, bridge.Close()) }()
	fmt.Fprintln(a.err, flagLine(c))
	fmt.Fprintf(a.err, "# mlx-lm %s, MLX %s on %s, BLAS %s\n", bridge.About.MLXLM, bridge.About.MLX, bridge.About.Device, bridge.About.BLAS)
	return parity.Run(c.Context(), config, bridge, cells, requests, func(s string) { fmt.Fprintln(a.err, s) })
}

func writeParity(path string, r parity.Report) error {
	data, err := json.MarshalIndent(r, "", " ")
	if err != nil {
		return err
	}
	return results.WriteFile(path, append(data, '\n'))
}

// canWrite refuses a path that no file can be written to.
func canWrite(path string) error {
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		return wrong("%s is a folder, want a file", path)
	}
	info, err := os.Stat(filepath.Dir(path))
	if err == nil && !info.IsDir() {
		return wrong("%s is no folder, want one for %s", filepath.Dir(path), filepath.Base(path))
	}
	return err
}
