package jsonmask

import "fmt"

// An UnsupportedError is a keyword that engines do not know how to hold a text
// to. It is refused when the request is made, never ignored.
type UnsupportedError struct {
	At      string // JSON pointer of the schema
	Keyword string
	Why     string
}

// Error implements error.
func (e *UnsupportedError) Error() string {
	return fmt.Sprintf("jsonmask: schema #%s: %s is not supported: %s", e.At, e.Keyword, e.Why)
}

// A SchemaError is a schema that is no schema.
type SchemaError struct {
	At  string // JSON pointer
	Why string
}

// Error implements error.
func (e *SchemaError) Error() string { return fmt.Sprintf("jsonmask: schema #%s: %s", e.At, e.Why) }

// unsupported are keywords of the standard that are refused, with the reason.
var unsupported = map[string]string{
	"$vocabulary": "only the standard one",
}
