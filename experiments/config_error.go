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
	Source string // the line
}

// Error is a line, and where there is a place the source with a caret below it.
func (e *ConfigError) Error() string {
	where := e.File
	if e.Line > 0 {
		where = fmt.Sprintf("%s:%d:%d", e.File, e.Line, e.Column)
	}
	reason := e.Reason
	if e.Key != "" {
		reason = e.Key + ": " + reason
	}
	msg := where + ": " + reason
	if e.Line > 0 {
		margin := fmt.Sprintf("%4d | ", e.Line)
		under := indent(e.Source, e.Column-1)
		msg += "\n" + margin + e.Source + "\n" + strings.Repeat(" ", len(margin)-2) + "| " + under + "^"
	}
	return msg
}

// indent is as wide as the first n characters of a line: tabs stay tabs.
func indent(line string, n int) string {
	var b strings.Builder
	for _, r := range line {
		if n--; n < 0 {
			break
		}
		if r != '\t' {
			r = ' '
		}
		b.WriteRune(r)
	}
	return b.String()
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
		if e.Line <= len(s.lines) {
			e.Source = strings.TrimRight(s.lines[e.Line-1], "\r")
		}
	}
	return e
}
