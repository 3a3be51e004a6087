package results

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"

	"foretoken/strict"
)

// A Run is a header and its rows, in the order they came.
type Run struct {
	Dir       string
	Header    Header
	Rows      []Row
	Truncated bool // the last row was cut short, and is left out
}

// Read reads a run and checks every row. A last line without a newline is what
// an interruption leaves; any other fault is an error that names its line.
func Read(dir string) (*Run, error) {
	run := &Run{Dir: dir}
	path := filepath.Join(dir, headerFile)
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("results: %s is no run: %w", dir, err)
	}
	if err := strict.Known(data, &run.Header); err != nil {
		return nil, fmt.Errorf("results: %s: %w", path, err)
	}
	if run.Header.Format != Format {
		return nil, fmt.Errorf("results: %s has format %d, want %d", path, run.Header.Format, Format)
	}
	if err := run.Header.check(); err != nil {
		return nil, fmt.Errorf("results: %s: %w", path, err)
	}
	path = filepath.Join(dir, rowsFile)
	if data, err = os.ReadFile(path); err != nil {
		return nil, fmt.Errorf("results: %w", err)
	}
	return run, run.parse(path, data)
}

func (run *Run) parse(path string, data []byte) error {
	arms := map[string]Arm{}
	for _, a := range run.Header.Arms {
		arms[a.ID] = a
	}
	seen, vocab := map[Key]int{}, run.Header.vocab()
	for n := 1; len(data) > 0; n++ {
		line, rest, whole := bytes.Cut(data, []byte{'\n'})
		if !whole {
			run.Truncated = true
			return nil
		}
		data = rest
		var r Row
		if err := strict.Known(line, &r); err != nil {
			return fmt.Errorf("results: %s line %d: %w", path, n, err)
		}
		arm, ok := arms[r.Arm]
		if !ok {
			return fmt.Errorf("results: %s line %d: arm %q is not in the header", path, n, r.Arm)
		}
		if at, ok := seen[r.Key()]; ok {
			return fmt.Errorf("results: %s line %d: %s is on line %d already", path, n, r.Key(), at)
		}
		if err := r.check(arm, vocab); err != nil {
			return fmt.Errorf("results: %s line %d (%s): %w", path, n, r.Key(), err)
		}
		seen[r.Key()] = n
		run.Rows = append(run.Rows, r)
	}
	return nil
}
