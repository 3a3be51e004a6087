package dialog

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"
)

func sh(t *testing.T, script string) (*Process, *bytes.Buffer) {
	t.Helper()
	var stderr bytes.Buffer
	p, err := Start(t.Context(), &stderr, "sh", "-c", script)
	if err != nil {
		t.Fatal(err)
	}
	return p, &stderr
}

func TestDialog(t *testing.T) {
	p, stderr := sh(t, `echo hello; echo aside >&2; while read line; do echo "$line, $line"; printf 12345678; done; exit 3`)
	if line, err := p.Line(); string(line) != "hello" || err != nil {
		t.Fatalf("%q, %v; want its first line", line, err)
	}
	for _, word := range []string{"one", strings.Repeat("long", 1<<19)} {
		line, err := p.Ask([]byte(word))
		if want := word + ", " + word; string(line) != want || err != nil {
			t.Fatalf("%.20q of %d bytes, %v; want %d", line, len(line), err, len(want))
		}
		data := make([]byte, 8)
		if err := p.Read(data); string(data) != "12345678" || err != nil {
			t.Fatalf("%q, %v; want the bytes after a line", data, err)
		}
	}
	if err := p.Close(); err == nil || !strings.Contains(err.Error(), "exit status 3") {
		t.Errorf("%v, want the status it ended with", err)
	}
	if err := p.Close(); err != nil {
		t.Errorf("closed again: %v", err)
	}
	if stderr.String() != "aside\n" {
		t.Errorf("stderr %q", stderr)
	}
}

// One that ends is an error that says so; its last words are an answer.
func TestEnds(t *testing.T) {
	p, _ := sh(t, `read line; echo last words`)
	if line, err := p.Ask([]byte("?")); string(line) != "last words" || err != nil {
		t.Errorf("%q, %v; want its last words", line, err)
	}
	if _, err := p.Ask([]byte("?")); err == nil {
		t.Error("an answer of a program that has ended")
	}
	p.Close()

	p, _ = sh(t, `printf half`)
	if _, err := p.Line(); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("%v, want %v", err, io.ErrUnexpectedEOF)
	}
	p.Close()
	if _, err := Start(t.Context(), nil, "no-such-program-anywhere"); err == nil {
		t.Error("started a program that is not there")
	}
}
