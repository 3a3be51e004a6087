package decode

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"

	"foretoken/experiments/dialog"
	"foretoken/model"
)

// A Python is a library of Python's in a process of its own, that times a model.
type Python struct {
	Name    string // of the library, its version and the type of its numbers
	Absent  string // why it is not there; "" where it is
	process *dialog.Process
}

// StartPython runs a script of ours with a library's name and a model's file, and hears
// whether it can. What the script says otherwise goes to stderr.
func StartPython(ctx context.Context, python, script, library, file string, stderr io.Writer) *Python {
	p := &Python{Name: library}
	process, err := dialog.Start(ctx, stderr, python, script, library, file)
	if err != nil {
		p.Absent = err.Error()
		return p
	}
	r, err := p.answer(process.Line())
	switch {
	case err != nil:
		p.Absent = err.Error()
	case r.Absent != "" || r.Ready == "":
		p.Absent = cmp.Or(r.Absent, "it did not say that it is ready")
	default:
		p.Name, p.process = r.Ready, process
		return p
	}
	process.Close() // it has said why
	return p
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

func (p *Python) answer(line []byte, err error) (r reply, _ error) {
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
		if err != nil {
			return Measure{}, err
		}
		r, err := p.answer(p.process.Ask(line))
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
	if p.process == nil {
		return nil
	}
	return p.process.Close()
}
