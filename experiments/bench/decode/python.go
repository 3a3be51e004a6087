package decode

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"os/exec"

	"foretoken/model"
)

// A Python is a library of Python's in a process of its own, that times a model.
type Python struct {
	Name   string // of the library, its version and the type of its numbers
	Absent string // why it is not there; "" where it is
	cmd    *exec.Cmd
	in     io.WriteCloser
	out    *bufio.Reader
}

// StartPython runs a script of ours with a library's name and a model's file, and hears
// whether it can. What the script says otherwise goes to stderr.
func StartPython(ctx context.Context, python, script, library, file string, stderr io.Writer) (*Python, error) {
	p := &Python{Name: library, cmd: exec.CommandContext(ctx, python, script, library, file)}
	p.cmd.Stderr = stderr
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
		return &Python{Name: library, Absent: err.Error()}, nil
	}
	r, err := p.read()
	switch {
	case err != nil:
		p.Absent = err.Error()
	case r.Absent != "" || r.Ready == "":
		p.Absent = cmp.Or(r.Absent, "it did not say that it is ready")
	default:
		p.Name = r.Ready
		return p, nil
	}
	in.Close()
	p.cmd.Wait() // it has said why
	p.cmd = nil
	return p, nil
}

// ask is a task: the tokens before it, and those that it is of.
type ask struct {
	Op     string        `json:"op"`
	Before []model.Token `json:"before"`
	Tokens []model.Token `json:"tokens"`
	N      int           `json:"n"` // to decode
}

type reply struct {
	Ready, Absent, Error string
	MS                   float64
}

func (p *Python) read() (r reply, err error) {
	line, err := p.out.ReadBytes('\n')
	if err != nil {
		return r, fmt.Errorf("%s ended: %w", p.Name, err)
	}
	if err := json.Unmarshal(line, &r); err != nil {
		return r, fmt.Errorf("%s said %.100q, want JSON: %w", p.Name, line, err)
	}
	if r.Error != "" {
		return r, fmt.Errorf("%s: %s", p.Name, r.Error)
	}
	return r, nil
}

// Arm times the model on its own, behind a text of depth tokens of a vocabulary.
func (p *Python) Arm(vocabulary, depth, prefill int) Arm {
	text := randomText(vocabulary, depth+prefill+Decode)
	return Arm{Name: p.Name, Tasks: Tasks(prefill), Time: func(_ context.Context, t Task) (Measure, error) {
		q := ask{Op: "token", Before: text[:depth], Tokens: text[depth : depth+1], N: Decode}
		switch {
		case t.Prefill:
			q = ask{Op: "prefill", Before: []model.Token{}, Tokens: text[:t.Rows]}
		case t.Rows > 0:
			q = ask{Op: "rows", Before: text[:depth], Tokens: text[depth : depth+t.Rows]}
		}
		line, err := json.Marshal(q)
		if err == nil {
			_, err = p.in.Write(append(line, '\n'))
		}
		if err != nil {
			return Measure{}, fmt.Errorf("%s ended: %w", p.Name, err)
		}
		r, err := p.read()
		if err == nil && !(r.MS > 0) {
			err = fmt.Errorf("%s: %v ms, want more than 0", p.Name, r.MS)
		}
		return Measure{MS: r.MS}, err
	}}
}

// randomText is the same for every arm.
func randomText(vocabulary, n int) (text []model.Token) {
	r := rand.New(rand.NewPCG(1, 1))
	for range n {
		text = append(text, model.Token(r.IntN(vocabulary)))
	}
	return text
}

// Close ends the process.
func (p *Python) Close() error {
	if p.cmd == nil {
		return nil
	}
	p.in.Close()
	return p.cmd.Wait()
}
