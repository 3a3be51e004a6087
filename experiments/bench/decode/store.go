package decode

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"

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
	file  *os.File
}

// Create begins a run in a folder, over one that is there.
func Create(dir string, h Header) (*Disk, error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	f, err := os.Create(filepath.Join(dir, File))
	if err != nil {
		return nil, err
	}
	d := &Disk{Memory{}, h, f}
	if err := d.line(h); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return d, nil
}

// Resume takes up a run in a folder, which has to be of the same settings. A last line
// that was cut short is dropped.
func Resume(dir string, h Header) (*Disk, error) {
	path := filepath.Join(dir, File)
	data, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("bench: %s has no %s, want a run that was broken off", dir, File)
	}
	if err != nil {
		return nil, err
	}
	whole := data[:bytes.LastIndexByte(data, '\n')+1]
	m, begun, err := parse(path, whole, h)
	if err != nil {
		return nil, err
	}
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return nil, err
	}
	if err := f.Truncate(int64(len(whole))); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	if _, err := f.Seek(int64(len(whole)), 0); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return &Disk{m, begun, f}, nil
}

func parse(path string, data []byte, want Header) (m Memory, h Header, err error) {
	m = Memory{}
	n := 0
	for line := range bytes.Lines(data) {
		n++
		if n == 1 {
			if err := strict.JSON(line, &h); err != nil {
				return nil, h, fmt.Errorf("bench: %s:1: %w", path, err)
			}
			if h.Bench != want.Bench {
				return nil, h, fmt.Errorf("bench: %s is of bench %q, want %q", path, h.Bench, want.Bench)
			}
			for _, name := range slices.Sorted(maps.Keys(want.Settings)) {
				if h.Settings[name] != want.Settings[name] {
					return nil, h, fmt.Errorf("bench: %s was begun with %s %q, this is %q", path, name, h.Settings[name], want.Settings[name])
				}
			}
			continue
		}
		var s Sample
		if err := strict.JSON(line, &s); err != nil {
			return nil, h, fmt.Errorf("bench: %s:%d: %w", path, n, err)
		}
		if !(s.MS > 0) {
			return nil, h, fmt.Errorf("bench: %s:%d: %v ms, want more than 0", path, n, s.MS)
		}
		m[s.Key] = s
	}
	if n == 0 {
		return nil, h, fmt.Errorf("bench: %s is empty, want a run that was broken off", path)
	}
	return m, h, nil
}

// Add implements Store.
func (d *Disk) Add(s Sample) error {
	if err := d.line(s); err != nil {
		return err
	}
	return d.Memory.Add(s)
}

func (d *Disk) line(x any) error {
	data, err := json.Marshal(x)
	if err == nil {
		_, err = d.file.Write(append(data, '\n'))
	}
	return err
}

// Close ends the writing.
func (d *Disk) Close() error { return d.file.Close() }
