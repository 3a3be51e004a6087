// Package jinja renders chat templates as Python's Jinja2 does in the environment that
// transformers gives them: the immutable sandbox, trim_blocks and lstrip_blocks,
// break and continue, its own tojson, raise_exception, strftime_now and the generation
// tag. A rendering is equal to Jinja2's or an error.
//
// Some of what Jinja2 takes is refused: blocks and other files (block, extends,
// include, import), autoescape true, the filters pprint, striptags, urlize and wordwrap,
// methods of text that the filter safe has marked, integers beyond 64 bits, bytes,
// complex numbers, and what gives another text each time, such as the filter random or
// the address of an object.
package jinja

import (
	"fmt"
	"strings"
	"time"
	"unicode/utf8"
)

// A Template is one that was parsed.
type Template struct {
	body []statement
	syms *symbols
}

// Parse reads a template. The error says the line and what is wrong there.
func Parse(source string) (t *Template, err error) {
	defer caught(&err)
	if len(source) > mostSource {
		return nil, fmt.Errorf("a template of %d bytes, want at most %d", len(source), mostSource)
	}
	if !utf8.ValidString(source) {
		return nil, fmt.Errorf("a template that is not UTF-8")
	}
	p := &parser{tokens: tokens(source)}
	body := p.statements()
	if p.cur().kind != tokEOF {
		p.fail("unexpected %s", p.cur())
	}
	return &Template{body, resolve(body)}, nil
}

// Render gives the text for variables. They may be nil, bool, int, float64, string,
// *List, Tuple and *Dict, and what FromJSON gives; now is the time of strftime_now.
func (t *Template) Render(variables map[string]Value, now time.Time) (text string, err error) {
	defer caught(&err)
	r := &run{out: &strings.Builder{}, given: variables, now: now}
	execAll(t.body, r, r.open(t.syms, nil))
	return r.out.String(), nil
}
