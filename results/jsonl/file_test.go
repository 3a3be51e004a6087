package jsonl

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

// Whole lines are given back, one that was cut short is dropped, and writing goes on behind
// the last; where a line is refused the file stays as it is.
func TestFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "lines")
	if _, err := Open(path, false); !errors.Is(err, os.ErrNotExist) {
		t.Error(err)
	}
	f, err := Open(path, true)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Open(path, true); !errors.Is(err, ErrBusy) {
		t.Errorf("two writers: %v", err)
	}
	if empty, err := f.Empty(); !empty || err != nil {
		t.Error(empty, err)
	}
	for i := range 3 {
		if err := f.Append(i); err != nil {
			t.Fatal(err)
		}
	}
	f.Close()
	whole, _ := os.ReadFile(path)
	if err := os.WriteFile(path, append(whole, '9'), 0o644); err != nil {
		t.Fatal(err)
	}
	bad := errors.New("bad")
	for _, stop := range []int{3, 0} {
		f, err := Open(path, false)
		if err != nil {
			t.Fatal(err)
		}
		var got string
		err = f.Resume(func(n int, line []byte) error {
			got += fmt.Sprintf("%d:%s ", n, line)
			if n == stop {
				return bad
			}
			return nil
		})
		if got != "1:0 2:1 3:2 " || errors.Is(err, bad) != (stop > 0) {
			t.Errorf("%q, %v", got, err)
		}
		if now, _ := os.ReadFile(path); (string(now) == string(whole)+"9") != (stop > 0) {
			t.Errorf("stopped at %d: the file is %q", stop, now)
		}
		if stop == 0 {
			err = f.Append(3)
		}
		if e := f.Close(); e != nil {
			t.Error(err, e)
		}
	}
	if now, _ := os.ReadFile(path); string(now) != "0\n1\n2\n3\n" {
		t.Errorf("%q", now)
	}
}
