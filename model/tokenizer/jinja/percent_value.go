package jinja

import (
	"strings"
	"unicode/utf8"
)

func (r *run) percentValue(s spec, kind byte, v Value, html bool) string {
	switch kind {
	case 's', 'r', 'a':
		text := r.converted(kind, v)
		if html {
			text = escaped(v, text)
		}
		s.zero = false
		return s.text(r, text)
	case 'c':
		s.zero, s.precision = false, -1
		return s.text(r, character(v))
	case 'd', 'i', 'u':
		s.kind = 'd'
		return s.integer(r, r.wholeNumber(v))
	case 'x', 'X', 'o':
		i, ok := asInt(must(v))
		if !ok {
			fail("%%%c wants an integer, not a %s", kind, typeName(v))
		}
		s.kind = kind
		return s.integer(r, i)
	}
	s.kind = kind
	f, ok := asFloat(must(v))
	if !ok {
		fail("%%%c wants a number, not a %s", kind, typeName(v))
	}
	return s.float(r, f)
}

// wholeNumber is what %d makes of a number.
func (r *run) wholeNumber(v Value) int {
	if f, ok := must(v).(float64); ok {
		if f != f || f-f != 0 {
			fail("%%d of what is not finite")
		}
		return truncated(f)
	}
	i, ok := asInt(v)
	if !ok {
		fail("%%d wants a number, not a %s", typeName(v))
	}
	return i
}

func character(v Value) string {
	if s, ok := asText(v); ok && runes(s) == 1 {
		return s
	}
	i, ok := asInt(must(v))
	if !ok || i > utf8.MaxRune || !utf8.ValidRune(rune(i)) {
		fail("%%c wants a character")
	}
	return string(rune(i))
}

// converted is str, repr or ascii of a value.
func (r *run) converted(kind byte, v Value) string {
	switch kind {
	case 's':
		return r.str(v)
	case 'r':
		return r.repr(v)
	}
	var b strings.Builder
	for _, c := range r.repr(v) {
		if c < 128 {
			b.WriteRune(c)
		} else {
			b.WriteString(hexEscape(c))
		}
	}
	return r.text(b.String())
}
