package results

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"foretoken/results/jsonl"
)

const (
	headerFile = "header.json"
	rowsFile   = "rows.jsonl"
)

// ErrExists is wrapped by Create where a run is already.
var ErrExists = errors.New("results: a run is there already")

// A Writer appends rows to a run. Every row is on its way to the disk when
// Append returns, so that an interrupted run can be read.
type Writer struct{ rows *jsonl.File }

// Create begins a run in a folder, which it makes. A run that is there already
// is left alone.
func Create(dir string, h Header) (*Writer, error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	h.Format = Format
	data, err := json.MarshalIndent(h, "", "  ")
	if err != nil {
		return nil, err
	}
	rows, err := jsonl.Open(filepath.Join(dir, rowsFile), true)
	if err != nil {
		return nil, err
	}
	err = vacant(dir, rows)
	if err == nil {
		err = WriteFile(filepath.Join(dir, headerFile), append(data, '\n'))
	}
	if err != nil {
		return nil, errors.Join(err, rows.Close())
	}
	return &Writer{rows}, nil
}

// vacant refuses a folder that has a run, or rows of one that lost its header, or of nobody
// knows what.
func vacant(dir string, rows *jsonl.File) error {
	if _, err := os.Stat(filepath.Join(dir, headerFile)); err == nil {
		return fmt.Errorf("%w: %s", ErrExists, dir)
	} else if !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	empty, err := rows.Empty()
	if err == nil && !empty {
		err = fmt.Errorf("%w: %s has a %s without a %s", ErrExists, dir, rowsFile, headerFile)
	}
	return err
}

// Resume takes up a run: it returns what is there, and a writer that goes on
// behind it. A last row without its newline was cut short, and is dropped.
func Resume(dir string) (*Run, *Writer, error) {
	path := filepath.Join(dir, rowsFile)
	rows, err := jsonl.Open(path, false)
	if err != nil {
		return nil, nil, err
	}
	run, err := begun(dir)
	if err == nil {
		err = rows.Resume(run.taking(path))
	}
	if err != nil {
		return nil, nil, errors.Join(err, rows.Close())
	}
	return run, &Writer{rows}, nil
}

// Append writes a row.
func (w *Writer) Append(r Row) error { return w.rows.Append(r) }

// Close ends the writing.
func (w *Writer) Close() error { return w.rows.Close() }

// WriteFile writes a file whole or not at all.
func WriteFile(path string, data []byte) error {
	tmp, err := os.CreateTemp(filepath.Dir(path), ".part-*")
	if err != nil {
		return err
	}
	_, err = tmp.Write(data)
	err = errors.Join(err, tmp.Chmod(0o644), tmp.Close())
	if err == nil {
		err = os.Rename(tmp.Name(), path)
	}
	if err != nil {
		return errors.Join(err, os.Remove(tmp.Name()))
	}
	return nil
}
