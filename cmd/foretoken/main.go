// Command foretoken runs speculative-decoding experiments.
package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"foretoken/draft"
	"foretoken/experiments"
	"foretoken/model/load"
	"foretoken/model/tokenizer"
	"foretoken/open"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	context.AfterFunc(ctx, stop) // a second Ctrl-C ends at once
	self, _ := os.Executable()   // "" where the system does not say
	engines, err := engineOptions()
	if err != nil {
		fmt.Fprintln(os.Stderr, "foretoken: "+err.Error())
		os.Exit(exitBadInput)
	}
	os.Exit(execute(ctx, app{open: open.With(engines, warn), engines: engines, hashes: load.Hashes, self: self, in: os.Stdin, out: os.Stdout, err: os.Stderr}, os.Args[1:]))
}

func warn(err error) { fmt.Fprintln(os.Stderr, "warning: "+err.Error()) }

// An app is what the commands touch of the world.
type app struct {
	open     experiments.Opener
	engines  load.Options                                // that open opens with
	hashes   func(ref string) (map[string]string, error) // of the files of a model; nil: they are not taken
	self     string                                      // this program's file, for the benchmark of its start
	in       io.Reader
	out, err io.Writer
}

// execute runs one command line. What went wrong is one line on err.
func execute(ctx context.Context, a app, args []string) int {
	open := a.open
	a.open = func(ref string) (*experiments.Opened, error) {
		o, err := open(ref)
		if err != nil {
			return nil, badInput{err}
		}
		return o, nil
	}
	root := &cobra.Command{
		Use:   "foretoken",
		Short: "Speculative decoding: run it, measure it, see what it was worth",
		Long: `Foretoken drafts tokens, has a target model verify them, and measures what that
is worth. An experiment is a YAML file; a run of it is a folder of facts, tables
and pictures.

  foretoken run experiments/configs/quickstart.yaml   an experiment, start to end
  foretoken run --explain                             every key of such a file
  foretoken generate -m MODEL "Once upon a time"      text, as it comes

Tables and text go to standard output, all else to standard error. The exit status
is 2 for bad input, 1 for a failure, 130 after Ctrl-C.`,
		SilenceErrors:              true,
		SilenceUsage:               true,
		SuggestionsMinimumDistance: 2,
	}
	root.SetContext(ctx)
	root.SetIn(a.in)
	root.SetOut(a.out)
	root.SetErr(a.err)
	root.SetArgs(args)
	root.PersistentFlags().Bool(allSettings, false, "print every setting before the work, the defaults too")
	root.PersistentPreRunE = func(c *cobra.Command, args []string) error { return checkWords(c, args) }
	root.Version = versionLine()
	root.SetVersionTemplate("{{.Version}}\n")
	root.CompletionOptions.HiddenDefaultCmd = true
	root.SetFlagErrorFunc(flagError)
	root.AddCommand(runCommand(a), generateCommand(a), sampleCommand(a), checkPairCommand(a), tableCommand(a), plotCommand(a), parityCommand(a), speedCommand(a), costCommand(a), benchCommand(a), versionCommand(a))
	root.SetHelpCommand(helpCommand())
	hold(root)
	err := unknownCommand(root, run(ctx, root))
	code := exitCode(ctx, err)
	switch {
	case code == exitInterrupted:
		fmt.Fprintln(a.err, "foretoken: interrupted")
	case err != nil:
		fmt.Fprintln(a.err, "foretoken: "+strings.ReplaceAll(err.Error(), "\n", "; "))
	}
	return code
}

// run runs a command line. A tokenizer whose pattern takes too long has no other way out.
func run(ctx context.Context, root *cobra.Command) (err error) {
	defer func() {
		if cause := recover(); cause != nil {
			slow, ok := cause.(*tokenizer.PatternError)
			if !ok {
				panic(cause)
			}
			err = badInput{slow}
		}
	}()
	return root.ExecuteContext(ctx)
}

// drafterNames is for help.
func drafterNames() string { return strings.Join(draft.Names(), ", ") }
