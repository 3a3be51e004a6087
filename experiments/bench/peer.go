package bench

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"strconv"
	"strings"

	"foretoken/experiments/dialog"
)

// A peer is a process that times tasks.
type peer struct {
	Name    string
	process *dialog.Process
	absent  string // why it cannot run
}

// start runs a peer and reads what it says of itself.
func start(ctx context.Context, name string, argv ...string) *peer {
	p := &peer{Name: name}
	process, err := dialog.Start(ctx, nil, argv...)
	if err != nil {
		p.absent = err.Error()
		return p
	}
	p.process = process
	line, err := process.Line()
	says, rest, _ := strings.Cut(string(line), " ")
	switch {
	case err != nil:
		p.absent = "ended before it was ready"
	case says == "ready":
		p.Name = rest
	default:
		p.absent = rest
	}
	if p.absent != "" {
		p.stop()
	}
	return p
}

// say asks for an answer.
func (p *peer) say(question string) (string, error) {
	line, err := p.process.Ask([]byte(question))
	if err != nil {
		return "", fmt.Errorf("bench: %s ended: %w", p.Name, err)
	}
	return string(line), nil
}

// ask has a task timed, so many times; false: the peer has no such task.
func (p *peer) ask(task string, times int, file string) ([]float64, bool, error) {
	line, err := p.say(fmt.Sprintf("%s %d %s", task, times, file))
	if err != nil {
		return nil, false, err
	}
	if line == "no such task" {
		return nil, false, nil
	}
	var out []float64
	for _, word := range strings.Fields(line) {
		ns, err := strconv.ParseFloat(word, 64)
		if err != nil {
			return nil, false, fmt.Errorf("bench: %s says %q", p.Name, line)
		}
		out = append(out, ns)
	}
	if len(out) != times {
		return nil, false, fmt.Errorf("bench: %s: %d times of %d", p.Name, len(out), times)
	}
	return out, true, nil
}

// stop ends the process; what it was ends with it.
func (p *peer) stop() error {
	if p.process == nil {
		return nil
	}
	err := p.process.Close()
	var exit *exec.ExitError
	if p.absent != "" && errors.As(err, &exit) {
		return nil
	}
	return err
}
