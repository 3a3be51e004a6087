// Command foretoken runs speculative-decoding experiments.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"foretoken/draft"
	"foretoken/experiments"
	"foretoken/model/load"
	"foretoken/results"
	"foretoken/verify"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second Ctrl-C ends at once
	os.Exit(execute(ctx, app{open: openModel, in: os.Stdin, out: os.Stdout, err: os.Stderr}, os.Args[1:]))
}

// An app is what the commands touch of the world.
type app struct {
	open     experiments.Opener
	in       io.Reader
	out, err io.Writer
}

// Exit codes.
const (
	exitOK          = 0
	exitFailure     = 1
	exitBadInput    = 2
	exitInterrupted = 130
)

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
		SilenceErrors: true,
		SilenceUsage:  true,
	}
	root.SetContext(ctx)
	root.SetIn(a.in)
	root.SetOut(a.out)
	root.SetErr(a.err)
	root.SetArgs(args)
	root.CompletionOptions.HiddenDefaultCmd = true
	root.SetFlagErrorFunc(func(c *cobra.Command, err error) error { return badInput{err} })
	root.AddCommand(runCommand(a), generateCommand(a), sampleCommand(a), checkPairCommand(a), tableCommand(a), plotCommand(a), parityCommand(a), costCommand(a), versionCommand(a))
	err := root.ExecuteContext(ctx)
	code := exitCode(ctx, err)
	switch {
	case code == exitInterrupted:
		fmt.Fprintln(a.err, "foretoken: interrupted")
	case err != nil:
		text := err.Error()
		if isUnknown(err) { // its suggestion comes in lines of their own
			text = strings.Join(strings.Fields(text), " ")
		}
		fmt.Fprintln(a.err, "foretoken: "+text)
	}
	return code
}

// badInput marks an error as the fault of what was asked for.
type badInput struct{ error }

func (e badInput) Unwrap() error { return e.error }

// wrong is bad input told in a line.
func wrong(format string, args ...any) error { return badInput{fmt.Errorf(format, args...)} }

func exitCode(ctx context.Context, err error) int {
	var (
		input   badInput
		refusal *experiments.Refusal
		config  *experiments.ConfigError
		prompt  *experiments.PromptError
	)
	switch {
	case err == nil:
		return exitOK
	case ctx.Err() != nil && errors.Is(err, context.Canceled):
		return exitInterrupted
	case errors.As(err, &input), errors.As(err, &refusal), errors.As(err, &config), errors.As(err, &prompt),
		errors.Is(err, load.ErrNotFound), errors.Is(err, fs.ErrNotExist), errors.Is(err, results.ErrExists),
		errors.Is(err, verify.ErrGreedyOnly), errors.Is(err, results.ErrBusy), isUnknown(err), isArgs(err):
		return exitBadInput
	}
	return exitFailure
}

func isUnknown(err error) bool { return strings.HasPrefix(err.Error(), "unknown command") }

// isArgs knows cobra's complaints about arguments, which have no type.
func isArgs(err error) bool {
	return strings.Contains(err.Error(), " arg(s), ") || strings.HasPrefix(err.Error(), "required flag(s)")
}

// drafterNames is for help.
func drafterNames() string { return strings.Join(draft.Names(), ", ") }
