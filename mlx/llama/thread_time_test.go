package llama

import (
	"syscall"
	"time"
)

// threadTime is what the calling thread has computed; where the system does not tell, what
// all of the process have.
func threadTime() time.Duration {
	const all, thread = 0, 1 // RUSAGE_SELF, and Linux's RUSAGE_THREAD
	var u syscall.Rusage
	if syscall.Getrusage(thread, &u) != nil {
		if err := syscall.Getrusage(all, &u); err != nil {
			panic(err)
		}
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
