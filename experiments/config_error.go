package experiments

import (
	"fmt"
	"strings"

	"github.com/goccy/go-yaml/token"
)

// A ConfigError is a fault in a config, with the place it was found at.
type ConfigError struct {
	File   string
	Line   int    // from 1; 0 where the fault is what is missing
	Column int    // from 1
	Key    string // path of the key, "" of the whole
	Reason string // what was wrong, and what was wanted
}

// Error is a line.
func (e *ConfigError) Error() string {
	where := e.File
	if e.Line > 0 {
		where = fmt.Sprintf("%s:%d:%d", e.File, e.Line, e.Column)
	}
	if e.Key != "" {
		where += ": " + e.Key
	}
	return where + ": " + e.Reason
}

// A source is the text of a config.
type source struct {
	file  string
	lines []string
}

// fail is an error at a token, which may be nil.
func (s source) fail(at *token.Token, key, reason string) error {
	e := &ConfigError{File: s.file, Key: key, Reason: reason}
	if at != nil && at.Position != nil {
		e.Line, e.Column = at.Position.Line, at.Position.Column
	}
	return e
}

// syntax is an error of the parser's, whose words need the line beside them.
func (s source) syntax(at *token.Token, message string) error {
	e := s.fail(at, "", strings.Join(strings.Fields(message), " ")).(*ConfigError)
	if e.Line > 0 && e.Line <= len(s.lines) {
		e.Reason += fmt.Sprintf(", in %q", strings.TrimSpace(s.lines[e.Line-1]))
	}
	return e
}
