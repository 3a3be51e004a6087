package jsonmask

import (
	"fmt"
	"strings"
)

// An UnsupportedError is a keyword that engines do not know how to hold a text
// to. It is refused when the request is made, never ignored.
type UnsupportedError struct {
	At      string // JSON pointer of the schema
	Keyword string
	Why     string
}

// Error implements error.
func (e *UnsupportedError) Error() string {
	return fmt.Sprintf("jsonmask: schema %s: %s is not supported: %s", placed(e.At), e.Keyword, e.Why)
}

// A SchemaError is a schema that is no schema.
type SchemaError struct {
	At  string // JSON pointer
	Why string
}

// Error implements error.
func (e *SchemaError) Error() string {
	return fmt.Sprintf("jsonmask: schema %s: %s", placed(e.At), e.Why)
}

// cleaned is an error with a place as others know it: a pointer, of a complement the one of
// what it is of, after the URI of its document where that is not the schema.
func cleaned(err error) error {
	clean := func(at string) string {
		_, pointer := split(at)
		pointer, _, _ = strings.Cut(pointer, "\x00")
		return pointer
	}
	switch e := err.(type) {
	case *UnsupportedError:
		return &UnsupportedError{clean(e.At), e.Keyword, e.Why}
	case *SchemaError:
		return &SchemaError{clean(e.At), e.Why}
	}
	return err
}

// placed is how an error says where: in the schema, or in a document with a URI.
func placed(at string) string {
	if at != "" && at[0] != '/' {
		return at
	}
	return "#" + at
}
