package capi

import "runtime"

// A thread is an OS thread that runs one function after another: a stream of MLX
// belongs to the thread that made it.
type thread struct{ jobs chan func() }

func newThread() *thread {
	t := &thread{make(chan func())}
	go func() {
		runtime.LockOSThread() // and never unlocked: the thread ends with the goroutine
		for job := range t.jobs {
			job()
		}
	}()
	return t
}

// do runs f on the thread and returns when it has.
func (t *thread) do(f func()) {
	done := make(chan struct{})
	t.jobs <- func() {
		defer close(done)
		f()
	}
	<-done
}

func (t *thread) close() { close(t.jobs) }
