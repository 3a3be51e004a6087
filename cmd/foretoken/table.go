package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"foretoken/results"
)

func tableCommand(a app) *cobra.Command {
	var format string
	var only []string
	var write bool
	c := &cobra.Command{
		Use:   "table RUN",
		Short: "Print the tables of a run",
		Example: `  foretoken table results/kept/quickstart
  foretoken table results/kept/quickstart --format markdown --only arms,domains
  foretoken table results/kept/quickstart --format csv > arms.csv`,
		RunE: func(c *cobra.Command, args []string) error {
			run, err := results.Read(args[0])
			if err != nil {
				return badInput{err}
			}
			s := results.Summarise(run)
			var names []string
			for _, t := range s.Tables() {
				names = append(names, t.Name)
			}
			for _, n := range only {
				if !slices.Contains(names, n) {
					return wrong("table: --only %q, want some of %s", n, strings.Join(names, ", "))
				}
			}
			if formats := []string{"text", "markdown", "csv", "json"}; !slices.Contains(formats, format) {
				return wrong("table: --format %q, want one of %s", format, strings.Join(formats, ", "))
			}
			if (format == "csv" || format == "json") && len(only) > 0 {
				return wrong("table: --only %s is of no use with --format %s, which holds all figures", strings.Join(only, ","), format)
			}
			fmt.Fprintln(a.err, flagLine(c))
			if write {
				paths, err := results.WriteTables(args[0], s)
				for _, path := range paths {
					fmt.Fprintln(a.out, "wrote "+path)
				}
				return err
			}
			if run.Truncated {
				fmt.Fprintln(a.err, "the last row was cut short and is left out")
			}
			switch format {
			case "markdown":
				return s.Markdown(a.out, only...)
			case "csv":
				return s.CSV(a.out)
			case "json":
				return s.JSON(a.out)
			}
			return s.Text(a.out, only...)
		},
	}
	c.Flags().StringVar(&format, "format", "text", "text, markdown, csv: bare numbers of arms and domains, or json: every figure with its unit and definition")
	c.Flags().BoolVar(&write, "write", false, "write all tables into the run's folder instead")
	c.Flags().StringSliceVar(&only, "only", nil, "tables to print: arms, rounds, times, positions, domains, parity (default all)")
	return c
}
