// Package jsonl keeps what is measured as it comes, a line of JSON each: one writer at a
// time, and one that was broken off can be taken up.
package jsonl

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
)

// ErrBusy is wrapped where another process writes the file.
var ErrBusy = errors.New("another process writes it")

// A File is open for its one writer. Every line is on its way to the disk when Append
// returns, so that what was broken off can be read.
type File struct{ file *os.File }

// Open opens a file to write, and makes it where it is not there and create says so. Until it
// is closed, or its process ends, another is refused.
func Open(path string, create bool) (*File, error) {
	flag := os.O_RDWR
	if create {
		flag |= os.O_CREATE
	}
	f, err := os.OpenFile(path, flag, 0o644)
	if err != nil {
		return nil, err
	}
	if err := lock(f); err != nil {
		return nil, errors.Join(fmt.Errorf("%s: %w: %w", path, ErrBusy, err), f.Close())
	}
	return &File{f}, nil
}

// Empty reports whether nothing is in the file.
func (f *File) Empty() (bool, error) {
	info, err := f.file.Stat()
	return err == nil && info.Size() == 0, err
}

// Reset forgets what is in the file.
func (f *File) Reset() error { return f.file.Truncate(0) }

// Resume gives every whole line to take, and goes on behind the last. A line without its end
// was cut short, and is dropped. Where take fails, the file stays as it is.
func (f *File) Resume(take func(number int, line []byte) error) error {
	data, err := io.ReadAll(f.file)
	if err != nil {
		return err
	}
	whole, err := Each(data, take)
	if err != nil {
		return err
	}
	if err := f.file.Truncate(int64(whole)); err != nil {
		return err
	}
	_, err = f.file.Seek(int64(whole), io.SeekStart)
	return err
}

// Append writes v as a line.
func (f *File) Append(v any) error {
	data, err := json.Marshal(v)
	if err != nil {
		return err
	}
	_, err = f.file.Write(append(data, '\n'))
	return err
}

// Close ends the writing.
func (f *File) Close() error { return f.file.Close() }

// Each gives every whole line, without its end and numbered from 1, to take, and returns how
// many bytes they are of.
func Each(data []byte, take func(number int, line []byte) error) (whole int, err error) {
	for number := 1; ; number++ {
		line, _, ok := bytes.Cut(data[whole:], []byte{'\n'})
		if !ok {
			return whole, nil
		}
		if err := take(number, line); err != nil {
			return whole, err
		}
		whole += len(line) + 1
	}
}
