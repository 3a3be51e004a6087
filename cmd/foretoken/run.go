package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"foretoken/experiments"
	"foretoken/model/load"
	"foretoken/results"
	"foretoken/results/plot"
)

func runCommand(a app) *cobra.Command {
	var out, resume string
	var limit, maxTokens int
	var explain bool
	c := &cobra.Command{
		Use:   "run [CONFIG]",
		Short: "Run an experiment and write its rows, tables and pictures",
		Long: `Run an experiment: every drafter at every draft length under every verifier,
interleaved prompt by prompt, with plain decoding as the control.

Without a config the models and prompts are those that the program carries.

The run is a folder: header.json and rows.jsonl are the facts, written as they
come; tables and pictures follow from them. Ctrl-C leaves a run that can be read,
and taken up again with --resume.`,
		Example: `  foretoken run                                        with what the program carries
  foretoken run experiments/configs/quickstart.yaml
  foretoken run my.yaml --limit 2 --max-tokens 16      a quick look
  foretoken run my.yaml --resume results/my-20260102-150405
  foretoken run --explain > my.yaml                    a config to start from`,
		RunE: func(c *cobra.Command, args []string) error {
			if explain {
				_, err := io.WriteString(a.out, experiments.Explained)
				return err
			}
			file, config, err := configOf(args)
			if err != nil {
				return err
			}
			if err := config.Override(limit, maxTokens); err != nil {
				return badInput{err}
			}
			dir := out
			switch {
			case resume != "" && out != "":
				return wrong("run: --out and --resume exclude each other")
			case resume != "":
				dir = resume
			case out == "":
				dir = filepath.Join("results", config.Name+"-"+time.Now().Format("20060102-150405"))
			}
			prepared, err := experiments.Prepare(config, experiments.Options{Open: a.open, ConfigFile: file, Models: load.Folder(),
				Dir: dir, Resume: resume != "", CommandLine: os.Args, Progress: experiments.NewProgress(a.err, isTerminal(a.err))})
			if err != nil {
				return err
			}
			if err := printConfig(a.err, c, config); err != nil { // what is refused is not printed: it would look accepted
				return errors.Join(err, prepared.Close())
			}
			fmt.Fprintln(a.err, "# writes to "+dir)
			err = prepared.Run(c.Context())
			if err != nil && !(errors.Is(err, context.Canceled) && c.Context().Err() != nil) {
				return err
			}
			if e := report(a, dir, []string{"arms", "times"}); e != nil {
				return e
			}
			if err != nil {
				fmt.Fprintf(a.err, "take it up again: foretoken run%s --resume %s\n", spaced(file), dir)
			}
			return err
		},
	}
	f := c.Flags()
	f.StringVarP(&out, "out", "o", "", "folder of the run (default results/NAME-TIME)")
	f.StringVar(&resume, "resume", "", "folder of an interrupted run of this config, to take up")
	f.IntVar(&limit, "limit", 0, "prompts of each domain of each set, instead of the config's")
	f.IntVar(&maxTokens, "max-tokens", 0, "tokens a request, instead of the config's")
	f.BoolVar(&explain, "explain", false, "print a config that explains every key, and end")
	return c
}

// configOf reads the config that is named, or else the program's own.
func configOf(args []string) (file string, c experiments.Config, err error) {
	if len(args) == 0 {
		c, err = experiments.Parse("embedded.yaml", []byte(experiments.Embedded))
		return "", c, err
	}
	c, err = experiments.Load(args[0])
	return args[0], c, err
}

func spaced(arg string) string {
	if arg == "" {
		return ""
	}
	return " " + arg
}

// report writes tables and pictures of a run, prints some tables and names what it
// wrote.
func report(a app, dir string, tables []string) error {
	run, err := results.Read(dir)
	if err != nil {
		return err
	}
	if len(run.Rows) == 0 {
		return nil
	}
	s := results.Summarise(run)
	if err := s.Text(a.out, tables...); err != nil {
		return err
	}
	wrote, err := results.WriteTables(dir, s)
	if err != nil {
		return err
	}
	pictures, err := plot.Write(dir, s)
	if err != nil {
		return err
	}
	fmt.Fprintln(a.out)
	for _, path := range append(wrote, pictures...) {
		fmt.Fprintln(a.out, "wrote "+path)
	}
	return nil
}

func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	if !ok || !term.IsTerminal(int(f.Fd())) {
		return false
	}
	width, _, err := term.GetSize(int(f.Fd()))
	return err == nil && width > 0 // a bar on no width shows nothing
}
