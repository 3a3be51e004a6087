package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"syscall"

	"foretoken/experiments"
	"foretoken/experiments/parity"
	"foretoken/model/load"
	"foretoken/results"
	"foretoken/results/jsonl"
	"foretoken/verify"
)

// Exit codes.
const (
	exitOK          = 0
	exitFailure     = 1
	exitBadInput    = 2
	exitInterrupted = 130
)

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
		resume  *parity.ResumeError
	)
	switch {
	case err == nil:
		return exitOK
	case ctx.Err() != nil && errors.Is(err, context.Canceled):
		return exitInterrupted
	case errors.As(err, &input), errors.As(err, &refusal), errors.As(err, &config), errors.As(err, &prompt), errors.As(err, &resume),
		errors.Is(err, load.ErrNotFound), errors.Is(err, results.ErrExists), errors.Is(err, jsonl.ErrBusy),
		errors.Is(err, verify.ErrGreedyOnly), isPath(err):
		return exitBadInput
	}
	return exitFailure
}

// isPath reports whether a path that was asked for is at fault: it is not there, is
// something else, or is not ours. A full disk is none of these.
func isPath(err error) bool {
	return slices.ContainsFunc([]syscall.Errno{syscall.ENOENT, syscall.ENOTDIR, syscall.EISDIR, syscall.EEXIST, syscall.EACCES,
		syscall.EPERM, syscall.EROFS, syscall.ENAMETOOLONG, syscall.ELOOP, syscall.EINVAL}, func(n syscall.Errno) bool { return errors.Is(err, n) })
}
