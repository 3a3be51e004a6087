package tokenizer

import (
	"fmt"
	"strings"

	"foretoken/strict"
)

// An UnsupportedError names a part of a tokenizer that this package does not have.
type UnsupportedError struct {
	File string // or "GGUF"
	Part string // where it stands: "normalizer", "pre_tokenizer", "decoder", "model", ...
	Name string // what the file asks for
}

// Error implements error.
func (e *UnsupportedError) Error() string {
	return fmt.Sprintf("tokenizer: %s: %s %q is not supported", e.File, e.Part, e.Name)
}

// A FormatError names a value that is missing or wrong.
type FormatError struct {
	File  string // or "GGUF"
	Field string
	Want  string
	Err   error // what lies beneath, or nil
}

// Error implements error.
func (e *FormatError) Error() string {
	s := fmt.Sprintf("tokenizer: %s: %s: want %s", e.File, e.Field, e.Want)
	if e.Err != nil {
		s += ": " + strings.TrimPrefix(strict.Explain(e.Err).Error(), e.Field+": ")
	}
	return s
}

// Unwrap returns the cause.
func (e *FormatError) Unwrap() error { return e.Err }
