// Package dialog talks with another program in lines: a question is one of its
// input, an answer one of its output.
package dialog

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"io"
	"os/exec"
)

// A Process is a running program. It ends with its context, or by Close.
type Process struct {
	cmd *exec.Cmd
	in  io.WriteCloser
	out *bufio.Reader
}

// Start runs a program with its arguments. What it says beside its answers goes to
// stderr, which may be nil.
func Start(ctx context.Context, stderr io.Writer, argv ...string) (*Process, error) {
	p := &Process{cmd: exec.CommandContext(ctx, argv[0], argv[1:]...)}
	p.cmd.Stderr = stderr
	var err error
	if p.in, err = p.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := p.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	p.out = bufio.NewReaderSize(out, 1<<20)
	return p, p.cmd.Start()
}

// Line returns the next line of the program, without its end; io.EOF where it has
// ended, and io.ErrUnexpectedEOF where it did so within a line.
func (p *Process) Line() ([]byte, error) {
	line, err := p.out.ReadBytes('\n')
	if err == io.EOF && len(line) > 0 {
		err = io.ErrUnexpectedEOF
	}
	return bytes.TrimRight(line, "\r\n"), err
}

// Ask writes a line and returns the next of the program. One that has ended may have
// said why: then that is the answer, and no error.
func (p *Process) Ask(question []byte) ([]byte, error) {
	_, broken := p.in.Write(append(question, '\n'))
	line, err := p.Line()
	if err != nil {
		return nil, cmp.Or(broken, err)
	}
	return line, nil
}

// Read fills data with what follows a line.
func (p *Process) Read(data []byte) error {
	_, err := io.ReadFull(p.out, data)
	return err
}

// Close ends the program's input, and waits for its end. It may be called again.
func (p *Process) Close() error {
	p.in.Close()
	if p.cmd.ProcessState != nil {
		return nil
	}
	return p.cmd.Wait()
}
