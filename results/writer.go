package results

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

const (
	headerFile = "header.json"
	rowsFile   = "rows.jsonl"
)

// ErrExists is wrapped by Create where a run is already.
var ErrExists = errors.New("results: a run is there already")

// ErrBusy is wrapped where another process writes the run.
var ErrBusy = errors.New("results: another process writes this run")

// A Writer appends rows to a run. Every row is on its way to the disk when
// Append returns, so that an interrupted run can be read.
type Writer struct {
	dir  string
	rows *os.File
}

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
	rows, err := openRows(dir, os.O_CREATE)
	if err != nil {
		return nil, err
	}
	if _, err := os.Stat(filepath.Join(dir, headerFile)); err == nil {
		return nil, errors.Join(fmt.Errorf("%w: %s", ErrExists, dir), rows.Close())
	} else if !errors.Is(err, fs.ErrNotExist) {
		return nil, errors.Join(err, rows.Close())
	}
	if info, err := rows.Stat(); err != nil {
		return nil, errors.Join(err, rows.Close())
	} else if info.Size() > 0 { // of a run that lost its header, or nobody knows what
		return nil, errors.Join(fmt.Errorf("%w: %s has a %s without a %s", ErrExists, dir, rowsFile, headerFile), rows.Close())
	}
	if err := WriteFile(filepath.Join(dir, headerFile), append(data, '\n')); err != nil {
		return nil, errors.Join(err, rows.Close())
	}
	return &Writer{dir, rows}, nil
}

// Resume takes up a run: it returns what is there, and a writer that goes on
// behind it. A last row without its newline was cut short, and is dropped.
func Resume(dir string) (*Run, *Writer, error) {
	rows, err := openRows(dir, 0)
	if err != nil {
		return nil, nil, err
	}
	run, err := Read(dir) // before anything is touched
	if err != nil {
		return nil, nil, errors.Join(err, rows.Close())
	}
	data, err := os.ReadFile(filepath.Join(dir, rowsFile))
	if err != nil {
		return nil, nil, errors.Join(err, rows.Close())
	}
	whole := bytes.LastIndexByte(data, '\n') + 1
	if err := rows.Truncate(int64(whole)); err != nil {
		return nil, nil, errors.Join(err, rows.Close())
	}
	if _, err := rows.Seek(int64(whole), 0); err != nil {
		return nil, nil, errors.Join(err, rows.Close())
	}
	return run, &Writer{dir, rows}, nil
}

// openRows opens the rows of a run for one writer: while it is open, another is
// refused.
func openRows(dir string, flag int) (*os.File, error) {
	rows, err := os.OpenFile(filepath.Join(dir, rowsFile), os.O_WRONLY|flag, 0o644)
	if err != nil {
		return nil, err
	}
	if err := lock(rows); err != nil {
		return nil, errors.Join(fmt.Errorf("%w: %s: %w", ErrBusy, dir, err), rows.Close())
	}
	return rows, nil
}

// Append writes a row.
func (w *Writer) Append(r Row) error {
	data, err := json.Marshal(r)
	if err != nil {
		return err
	}
	_, err = w.rows.Write(append(data, '\n'))
	return err
}

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
