package bench

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strconv"
	"strings"
)

// A peer is a process that times tasks.
type peer struct {
	Name   string
	cmd    *exec.Cmd
	in     io.WriteCloser
	out    *bufio.Reader
	absent string // why it cannot run
}

// start runs a peer and reads what it says of itself.
func start(ctx context.Context, name string, argv ...string) (*peer, error) {
	p := &peer{Name: name, cmd: exec.CommandContext(ctx, argv[0], argv[1:]...)}
	in, err := p.cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := p.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	p.in, p.out = in, bufio.NewReader(out)
	if err := p.cmd.Start(); err != nil {
		p.absent = err.Error()
		return p, nil
	}
	line, err := p.line()
	says, rest, _ := strings.Cut(line, " ")
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
	return p, nil
}

func (p *peer) line() (string, error) {
	line, err := p.out.ReadString('\n')
	return strings.TrimSpace(line), err
}

// ask has a task timed, so many times; false: the peer has no such task.
func (p *peer) ask(task string, times int, file string) ([]float64, bool, error) {
	_, broken := fmt.Fprintf(p.in, "%s %d %s\n", task, times, file)
	line, err := p.line() // one that has ended may have said why
	if err != nil {
		err = cmp.Or(broken, err)
		return nil, false, fmt.Errorf("bench: %s ended: %w", p.Name, err)
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
	if p.cmd.Process == nil {
		return nil
	}
	p.in.Close()
	err := p.cmd.Wait()
	var exit *exec.ExitError
	if p.absent != "" && errors.As(err, &exit) {
		return nil
	}
	return err
}
