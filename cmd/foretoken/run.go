package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"foretoken/experiments"
	"foretoken/model/load"
	"foretoken/results"
	"foretoken/results/plot"
)

func runCommand(a app) *cobra.Command {
	var r runFlags
	c := &cobra.Command{
		Use:   "run [CONFIG]",
		Short: "Run an experiment and write its rows, tables and pictures",
		Long: `Run an experiment: every drafter at every draft length under every verifier,
interleaved prompt by prompt, with plain decoding as the control.

Without a config the models and prompts are those that the program carries.

The run is a folder: header.json and rows.jsonl are the facts, written as they
come; tables and pictures follow from them. Ctrl-C leaves a run that can be read,
and taken up again with --resume, which needs no config: the run has it.`,
		Example: `  foretoken run                                        with what the program carries
  foretoken run experiments/configs/quickstart.yaml
  foretoken run my.yaml --limit 2 --max-tokens 16      a quick look
  foretoken run --resume results/my-20260102-150405
  foretoken run --explain > my.yaml                    a config to start from`,
		RunE: func(c *cobra.Command, args []string) error {
			if r.explain {
				_, err := io.WriteString(a.out, experiments.Explained)
				return err
			}
			return r.run(c, a, args)
		},
	}
	f := c.Flags()
	f.StringVarP(&r.out, "out", "o", "", "folder of the run (default results/NAME-TIME)")
	f.StringVar(&r.resume, "resume", "", "folder of an interrupted run, to take up with its own config and limits")
	f.IntVar(&r.limit, "limit", 0, "prompts of each domain of each set (default the config's)")
	f.IntVar(&r.maxTokens, "max-tokens", 0, "tokens per request (default the config's)")
	f.BoolVar(&r.explain, "explain", false, "print a config that explains every key, and end")
	return c
}

type runFlags struct {
	out, resume      string
	limit, maxTokens int
	explain          bool
}

func (r runFlags) run(c *cobra.Command, a app, args []string) error {
	file, config, err := r.config(args)
	if err != nil {
		return err
	}
	dir := cmp.Or(r.resume, r.out, filepath.Join("results", config.Name+"-"+time.Now().Format("20060102-150405")))
	prepared, err := experiments.Prepare(config, experiments.Options{Open: a.open, ConfigFile: file, Models: load.Folder(), Hashes: a.hashes,
		Dir: dir, Resume: r.resume != "", CommandLine: os.Args, Progress: experiments.NewProgress(a.err, isTerminal(a.err))})
	if err != nil {
		return err
	}
	if err := printConfig(a.err, c, config); err != nil { // a config that is refused is not printed: it would look accepted
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
		fmt.Fprintf(a.err, "take it up again: foretoken run --resume %s\n", shellWord(dir))
	}
	return err
}

// config is the one to run: a run's own where it is taken up, else the named one with the
// limits of the flags.
func (r runFlags) config(args []string) (file string, config experiments.Config, err error) {
	switch {
	case r.resume != "" && r.out != "":
		return "", config, wrong("run: --out and --resume exclude each other")
	case r.resume != "" && len(args) == 0:
		if config, file, err = experiments.ConfigOf(r.resume); err != nil {
			return "", config, badInput{err}
		}
	default:
		if file, config, err = configOf(args); err != nil {
			return "", config, err
		}
	}
	if err := config.Override(r.limit, r.maxTokens); err != nil {
		return "", config, badInput{err}
	}
	return file, config, nil
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

// report writes tables and pictures of a run, and then prints some tables and names the
// files. They are written first, as standard output may be full.
func report(a app, dir string, tables []string) error {
	run, err := results.Read(dir)
	if err != nil {
		return err
	}
	if len(run.Rows) == 0 {
		return nil
	}
	s := results.Summarise(run)
	wrote, err := results.WriteTables(dir, s)
	if err != nil {
		return err
	}
	pictures, err := plot.Write(dir, s)
	if err != nil {
		return err
	}
	if err := s.Text(a.out, tables...); err != nil {
		return err
	}
	lines := []string{""}
	if verdict := s.Verdict(); verdict != "" {
		lines = append(lines, verdict, "")
	}
	for _, path := range append(wrote, pictures...) {
		lines = append(lines, "wrote "+path)
	}
	_, err = fmt.Fprintln(a.out, strings.Join(lines, "\n"))
	return err
}

func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	if !ok || !term.IsTerminal(int(f.Fd())) {
		return false
	}
	width, _, err := term.GetSize(int(f.Fd()))
	return err == nil && width > 0 // a bar on no width shows nothing
}
