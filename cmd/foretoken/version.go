package main

import (
	"cmp"
	"fmt"
	"maps"
	"runtime"
	"slices"

	"github.com/spf13/cobra"

	"foretoken/experiments"
	"foretoken/model/load"
	"foretoken/model/tokenizer"
)

// version is this program's.
const version = "0.1.0"

// versionLine is the version and the revision, where that is known.
func versionLine() string {
	revision, _ := experiments.Build()
	return fmt.Sprintf("foretoken %s (%s)", version, cmp.Or(revision, "unknown revision"))
}

func versionCommand(a app) *cobra.Command {
	var modules bool
	c := &cobra.Command{
		Use:   "version",
		Short: "Print versions, and what the engines compute with here",
		RunE: func(c *cobra.Command, _ []string) error {
			fmt.Fprintln(a.err, flagLine(c))
			_, versions := experiments.Build()
			fmt.Fprintf(a.out, "%s\n%s %s/%s", versionLine(), versions["go"], runtime.GOOS, runtime.GOARCH)
			if x := versions["GOEXPERIMENT"]; x != "" {
				fmt.Fprintf(a.out, " GOEXPERIMENT=%s", x)
			}
			fmt.Fprintf(a.out, "\ntokenizers by Unicode %s", tokenizer.UnicodeVersion())
			path, advice := load.Reference()
			about, warnings := a.engines.About()
			fmt.Fprintf(a.out, "\n%s\n%s\n", path, about)
			if advice != "" {
				fmt.Fprintln(a.err, "warning: "+advice)
			}
			for _, w := range warnings {
				fmt.Fprintln(a.err, "warning: "+w.Error())
			}
			if modules {
				for _, path := range slices.Sorted(maps.Keys(versions)) {
					if path != "go" && path != "GOEXPERIMENT" {
						fmt.Fprintln(a.out, path, versions[path])
					}
				}
			}
			return nil
		},
	}
	c.Flags().BoolVar(&modules, "modules", false, "the modules too")
	return c
}
