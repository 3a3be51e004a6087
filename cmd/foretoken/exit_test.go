package main

import (
	"context"
	"errors"
	"fmt"
	"syscall"
	"testing"

	"foretoken/model/load"
	"foretoken/results"
	"foretoken/verify"
)

// Scripts go by the numbers that README gives.
func TestExitCodes(t *testing.T) {
	stopped, cancel := context.WithCancel(t.Context())
	cancel()
	for _, c := range []struct {
		ctx  context.Context
		err  error
		want int
	}{
		{t.Context(), nil, 0},
		{t.Context(), errors.New("x"), 1},
		{t.Context(), fmt.Errorf("x: %w", syscall.ENOSPC), 1},
		{t.Context(), context.Canceled, 1}, // of something else than Ctrl-C
		{t.Context(), wrong("x"), 2},
		{t.Context(), fmt.Errorf("x: %w", load.ErrNotFound), 2},
		{t.Context(), fmt.Errorf("x: %w", results.ErrExists), 2},
		{t.Context(), fmt.Errorf("x: %w", verify.ErrGreedyOnly), 2},
		{t.Context(), fmt.Errorf("x: %w", syscall.EROFS), 2},
		{stopped, fmt.Errorf("x: %w", context.Canceled), 130},
	} {
		if got := exitCode(c.ctx, c.err); got != c.want {
			t.Errorf("%v: exit %d, want %d", c.err, got, c.want)
		}
	}
}
