//go:build unix

package jsonl

import (
	"os"
	"syscall"
)

// lock is held until f is closed, or its process ends.
func lock(f *os.File) error { return syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) }
