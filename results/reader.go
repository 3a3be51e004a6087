package results

import (
	"fmt"
	"os"
	"path/filepath"

	"foretoken/results/jsonl"
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
	run, err := begun(dir)
	if err != nil {
		return nil, err
	}
	path := filepath.Join(dir, rowsFile)
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("results: %w", err)
	}
	whole, err := jsonl.Each(data, run.taking(path))
	run.Truncated = err == nil && whole < len(data)
	return run, err
}

// begun is a run with its header alone.
func begun(dir string) (*Run, error) {
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
	return run, nil
}

// taking returns what checks a line of a run's rows and adds it.
func (run *Run) taking(path string) func(number int, line []byte) error {
	arms, seen, vocab := map[string]Arm{}, map[Key]int{}, run.Header.vocab()
	for _, a := range run.Header.Arms {
		arms[a.ID] = a
	}
	return func(n int, line []byte) error {
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
		return nil
	}
}
