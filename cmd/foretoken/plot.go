package main

import (
	"fmt"
	"os"
	"slices"

	"github.com/spf13/cobra"

	"foretoken/results"
	"foretoken/results/plot"
)

func plotCommand(a app) *cobra.Command {
	var out string
	c := &cobra.Command{
		Use:   "plot RUN",
		Short: "Draw the pictures of a run, as SVG and PNG",
		Example: `  foretoken plot results/kept/quickstart
  foretoken plot results/kept/quickstart --out pictures`,
		RunE: func(c *cobra.Command, args []string) error {
			run, err := results.Read(args[0])
			if err != nil {
				return badInput{err}
			}
			s := results.Summarise(run)
			if !slices.ContainsFunc(s.Arms, func(a results.ArmSummary) bool { return !a.Arm.Control() }) {
				return wrong("plot: %s has no rows of a drafter, nothing to draw", args[0])
			}
			dir := args[0]
			if out != "" {
				dir = out
				if err := os.MkdirAll(dir, 0o755); err != nil {
					return err
				}
			}
			paths, err := plot.Write(dir, s)
			if err != nil {
				return err
			}
			fmt.Fprintln(a.err, flagLine(c))
			for _, p := range paths {
				fmt.Fprintln(a.out, p)
			}
			return nil
		},
	}
	c.Flags().StringVar(&out, "out", "", "folder for the pictures (default the run's own)")
	return c
}
