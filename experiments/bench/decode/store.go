package decode

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"foretoken/results/jsonl"
	"foretoken/strict"
)

// File is what a run is kept in: a line that says what it is, then a line a sample.
const File = "samples.jsonl"

// A Header says what a run is.
type Header struct {
	Bench    string            `json:"bench"`    // "decode"
	Settings map[string]string `json:"settings"` // that the samples depend on
	Host     string            `json:"host"`
	Revision string            `json:"revision"`
}

// Memory is a store that is forgotten.
type Memory map[Key]Sample

// Has implements Store.
func (m Memory) Has(k Key) (Sample, bool) { s, ok := m[k]; return s, ok }

// Add implements Store.
func (m Memory) Add(s Sample) error { m[s.Key] = s; return nil }

// Disk is a store whose samples are on their way to the disk when Add returns.
type Disk struct {
	Memory
	Begun Header // the run's own, where one was taken up
	file  *jsonl.File
}

// Create begins a run in a folder, over one that is there.
func Create(dir string, h Header) (*Disk, error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	f, err := jsonl.Open(filepath.Join(dir, File), true)
	if err != nil {
		return nil, fmt.Errorf("bench: %w", err)
	}
	if err = f.Reset(); err == nil {
		err = f.Append(h)
	}
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return &Disk{Memory{}, h, f}, nil
}

// Resume takes up a run in a folder, which has to be of the same settings. A last line
// that was cut short is dropped.
func Resume(dir string, h Header) (*Disk, error) {
	path := filepath.Join(dir, File)
	f, err := jsonl.Open(path, false)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("bench: %s has no %s, want a run that was broken off", dir, File)
	}
	if err != nil {
		return nil, fmt.Errorf("bench: %w", err)
	}
	d := &Disk{Memory{}, Header{}, f}
	err = f.Resume(d.taking(path, h))
	if err == nil && d.Begun.Bench == "" {
		err = fmt.Errorf("bench: %s is empty, want a run that was broken off", path)
	}
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return d, nil
}

// taking returns what takes up the lines of a run.
func (d *Disk) taking(path string, want Header) func(int, []byte) error {
	return func(n int, line []byte) error {
		if n == 1 {
			return d.begin(path, line, want)
		}
		return d.take(path, n, line)
	}
}

// begin reads the header of a run that is to be of these settings.
func (d *Disk) begin(path string, line []byte, want Header) error {
	if err := strict.JSON(line, &d.Begun); err != nil {
		return fmt.Errorf("bench: %s:1: %w", path, err)
	}
	if d.Begun.Bench != want.Bench {
		return fmt.Errorf("bench: %s is of bench %q, want %q", path, d.Begun.Bench, want.Bench)
	}
	for _, name := range slices.Sorted(maps.Keys(want.Settings)) {
		if d.Begun.Settings[name] != want.Settings[name] {
			return fmt.Errorf("bench: %s was begun with %s %q, this is %q", path, name, d.Begun.Settings[name], want.Settings[name])
		}
	}
	return nil
}

func (d *Disk) take(path string, n int, line []byte) error {
	var s Sample
	if err := strict.JSON(line, &s); err != nil {
		return fmt.Errorf("bench: %s:%d: %w", path, n, err)
	}
	if !(s.MS > 0) {
		return fmt.Errorf("bench: %s:%d: %v ms, want more than 0", path, n, s.MS)
	}
	return d.Memory.Add(s)
}

// Add implements Store.
func (d *Disk) Add(s Sample) error {
	if err := d.file.Append(s); err != nil {
		return err
	}
	return d.Memory.Add(s)
}

// Close ends the writing.
func (d *Disk) Close() error { return d.file.Close() }
