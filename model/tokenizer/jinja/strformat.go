package jinja

import (
	"regexp"
	"strconv"
	"strings"
)

// A formatter is one call of str.format, which reads attributes by the sandbox's rules.
type formatter struct {
	r      *run
	values []Value
	names  *Dict
	auto   int // fields without a number so far; -1: fields have numbers
	set    bool
}

func (r *run) format(self Value, pos []Value, names *Dict) Value {
	s, ok := self.(string)
	if !ok {
		return fail("format of text that is marked safe is not supported")
	}
	f := formatter{r: r, values: pos, names: names}
	return f.format(s, 2)
}

func formatMap(r *run, self Value, a args) Value {
	d, ok := a.bound[0].(*Dict)
	if !ok {
		return fail("format_map wants a dictionary")
	}
	return r.format(self, nil, d)
}

// format writes a text with fields; depth is how deep fields may stand in specs.
func (f *formatter) format(s string, depth int) string {
	if depth < 0 {
		fail("fields are too deep within each other")
	}
	var b strings.Builder
	for s != "" {
		i := strings.IndexAny(s, "{}")
		if i < 0 {
			break
		}
		b.WriteString(s[:i])
		if i+1 < len(s) && s[i+1] == s[i] {
			b.WriteByte(s[i])
			s = s[i+2:]
			continue
		}
		if s[i] == '}' {
			fail("single } in a format")
		}
		n := fieldEnd(s[i:])
		b.WriteString(f.field(s[i+1:i+n], depth))
		s = s[i+n+1:]
	}
	b.WriteString(s)
	return f.r.text(b.String())
}

// fieldEnd is where the bracket closes that s begins with; brackets in an index do not
// count.
func fieldEnd(s string) int {
	depth := 0
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '[':
			if end := strings.IndexByte(s[i:], ']'); end > 0 && depth == 1 && !strings.Contains(s[1:i], ":") && !strings.Contains(s[1:i], "!") {
				i += end
			}
		case '{':
			depth++
		case '}':
			if depth--; depth == 0 {
				return i
			}
		}
	}
	fail("a format with { and without }")
	return 0
}

// field splits NAME!c:SPEC.
func (f *formatter) field(s string, depth int) string {
	end, inIndex := len(s), false
	for i, c := range s {
		if c == '[' {
			inIndex = true
		} else if c == ']' {
			inIndex = false
		} else if (c == ':' || c == '!') && !inIndex {
			end = i
			break
		} else if c == '{' && !inIndex {
			fail("unexpected { in the name of a field")
		}
	}
	v := f.value(s[:end])
	rest := s[end:]
	if strings.HasPrefix(rest, "!") {
		if len(rest) < 2 || strings.IndexByte("sra", rest[1]) < 0 || len(rest) > 2 && rest[2] != ':' {
			fail("a conversion other than !s, !r and !a")
		}
		v, rest = f.r.converted(rest[1], v), rest[2:]
	}
	return f.r.formatted(v, f.format(strings.TrimPrefix(rest, ":"), depth-1))
}

var fieldName = regexp.MustCompile(`^([^.\[]*)((?:\.[^.\[]+|\[[^\]]+\])*)$`)
var fieldPart = regexp.MustCompile(`\.[^.\[]+|\[[^\]]+\]`)

func (f *formatter) value(path string) Value {
	m := fieldName.FindStringSubmatch(path)
	if m == nil {
		fail("%q is no field", path)
	}
	v := f.first(m[1])
	for _, part := range fieldPart.FindAllString(m[2], -1) {
		if part[0] == '.' {
			v = f.r.attr(v, part[1:])
			continue
		}
		key := part[1 : len(part)-1]
		if i, err := strconv.Atoi(key); err == nil && stringChecks["isdigit"](key) {
			v = f.r.index(v, i)
		} else {
			v = f.r.index(v, key)
		}
	}
	return v
}

func (f *formatter) first(id string) Value {
	i, err := strconv.Atoi(id)
	numbered := err == nil && stringChecks["isdigit"](id)
	switch {
	case id == "" || numbered:
		if f.set && (id == "") != (f.auto >= 0) {
			fail("fields with and without numbers")
		}
		if f.set = true; id == "" {
			i = f.auto
			f.auto++
		} else {
			f.auto = -1
		}
		if i >= len(f.values) {
			fail("no argument %d for the format", i)
		}
		return f.values[i]
	}
	v, ok := f.names.get(id)
	if !ok {
		fail("no argument %s for the format", id)
	}
	return v
}
