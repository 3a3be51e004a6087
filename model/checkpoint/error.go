package checkpoint

import (
	"errors"
	"fmt"
)

// The kinds of an Error, for errors.Is.
var (
	ErrMalformed   = errors.New("malformed")     // the bytes contradict the format or each other
	ErrMissing     = errors.New("missing")       // a file, field or tensor that must be there is not
	ErrMismatch    = errors.New("mismatch")      // a tensor is not what the config says
	ErrUnsupported = errors.New("not supported") // sound as far as it was read, and not read here
)

// An Error says which file is wrong, where, and what was wanted there.
type Error struct {
	File string
	Item string // tensor or field; "" is the file as a whole
	Got  string // "" when there is nothing to show
	Want string
	Kind error // one of the Err values
}

// Error implements error.
func (e *Error) Error() string {
	at := "checkpoint: " + e.File + ": "
	if e.Item != "" {
		at += e.Item + ": "
	}
	switch {
	case e.Got == "":
		return fmt.Sprintf("%s%v, want %s", at, e.Kind, e.Want)
	case e.Kind == ErrUnsupported:
		return fmt.Sprintf("%s%s is %v, want %s", at, e.Got, e.Kind, e.Want)
	}
	return fmt.Sprintf("%s%v: %s, want %s", at, e.Kind, e.Got, e.Want)
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Kind }

func malformed(file, item, want, got string, args ...any) error {
	return &Error{file, item, fmt.Sprintf(got, args...), want, ErrMalformed}
}

func missing(file, item, want string) error {
	return &Error{file, item, "", want, ErrMissing}
}

func mismatch(file, item, want, got string, args ...any) error {
	return &Error{file, item, fmt.Sprintf(got, args...), want, ErrMismatch}
}

func unsupported(file, item, got, want string) error {
	return &Error{file, item, got, want, ErrUnsupported}
}
