package decode

import (
	"context"
	"fmt"
	"os/exec"
	"time"
)

// Starts is how often a round times a program's start.
const Starts = 4

// Start is a program that opens a model, has its first token, and ends.
var Start = Task{Name: "start-up", What: "a process from its start to its end, with the model opened and one or two tokens decoded", Each: Starts}

// Starting times a command; env is added to this process's.
func Starting(name string, own bool, env []string, argv ...string) Arm {
	return Arm{Name: name, Own: own, Tasks: []Task{Start}, Time: func(ctx context.Context, _ Task) (Measure, error) {
		c := exec.CommandContext(ctx, argv[0], argv[1:]...)
		c.Env = append(c.Environ(), env...)
		started := time.Now()
		out, err := c.CombinedOutput()
		if err != nil {
			return Measure{}, fmt.Errorf("%w: %s", err, tail(out))
		}
		return Measure{MS: time.Since(started).Seconds() * 1e3}, nil
	}}
}
