package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"foretoken/experiments"
)

// flagLine is the command with every flag's value, given or not.
func flagLine(c *cobra.Command) string {
	var b strings.Builder
	fmt.Fprintf(&b, "# %s", c.CommandPath())
	c.Flags().VisitAll(func(f *pflag.Flag) {
		if f.Name != "help" {
			fmt.Fprintf(&b, " --%s=%s", f.Name, quoted(f.Value.String()))
		}
	})
	return b.String()
}

func quoted(s string) string {
	if s == "" || strings.ContainsAny(s, " \n\t\"'") {
		return fmt.Sprintf("%q", s)
	}
	return s
}

// printConfig writes what will be run, flags and all.
func printConfig(w io.Writer, c *cobra.Command, config experiments.Config) error {
	text, err := config.YAML()
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(w, "%s\n%s", flagLine(c), text)
	return err
}
