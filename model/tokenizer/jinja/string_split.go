package jinja

import (
	"strings"
	"unicode/utf8"
)

// split is str.split, or from the right str.rsplit.
func split(r *run, s string, a args, right bool) Value {
	most := a.int(1, -1)
	if most < 0 {
		most = len(s) + 1
	}
	sep, ok := a.textOrNone(0)
	switch {
	case ok && sep == "":
		return fail("empty separator")
	case ok && right:
		return r.strings(splitRight(s, sep, most))
	case ok:
		return r.strings(strings.SplitN(s, sep, most+1))
	case right:
		return r.strings(fieldsRight(s, most))
	}
	return r.strings(fields(s, most))
}

func splitRight(s, sep string, most int) []string {
	var back []string
	for ; most > 0; most-- {
		i := strings.LastIndex(s, sep)
		if i < 0 {
			break
		}
		back = append(back, s[i+len(sep):])
		s = s[:i]
	}
	return reversed(append(back, s))
}

func reversed[T any](list []T) []T {
	back := make([]T, len(list))
	for i, v := range list {
		back[len(list)-1-i] = v
	}
	return back
}

// fields cuts at white space, at most so often; the last one keeps what follows it.
func fields(s string, most int) []string {
	var all []string
	for s = strings.TrimLeftFunc(s, isSpace); s != ""; s = strings.TrimLeftFunc(s, isSpace) {
		end := strings.IndexFunc(s, isSpace)
		if end < 0 || len(all) == most {
			if len(all) < most {
				end = len(s)
			} else {
				return append(all, s)
			}
		}
		all = append(all, s[:end])
		s = s[end:]
	}
	return all
}

func fieldsRight(s string, most int) []string {
	var back []string
	for s = strings.TrimRightFunc(s, isSpace); s != ""; s = strings.TrimRightFunc(s, isSpace) {
		if len(back) == most {
			back = append(back, s)
			break
		}
		begin := strings.LastIndexFunc(s, isSpace)
		if begin >= 0 {
			_, n := utf8.DecodeRuneInString(s[begin:])
			begin += n
		} else {
			begin = 0
		}
		back = append(back, s[begin:])
		s = s[:begin]
	}
	return reversed(back)
}

// splitLines cuts at all that Python takes for an end of line.
func splitLines(s string, keep bool) []string {
	var all []string
	for s != "" {
		i := strings.IndexAny(s, "\n\r\v\f\x1c\x1d\x1e\u0085\u2028\u2029")
		if i < 0 {
			return append(all, s)
		}
		_, n := utf8.DecodeRuneInString(s[i:])
		if strings.HasPrefix(s[i:], "\r\n") {
			n = 2
		}
		if keep {
			all = append(all, s[:i+n])
		} else {
			all = append(all, s[:i])
		}
		s = s[i+n:]
	}
	return all
}

func partition(s, sep string, right bool) Value {
	if sep == "" {
		return fail("empty separator")
	}
	i := strings.Index(s, sep)
	if right {
		i = strings.LastIndex(s, sep)
	}
	switch {
	case i >= 0:
		return Tuple{s[:i], sep, s[i+len(sep):]}
	case right:
		return Tuple{"", "", s}
	}
	return Tuple{s, "", ""}
}

// joinStrings is str.join, which takes only strings.
func joinStrings(r *run, sep string, v Value) Value {
	var b strings.Builder
	for i, item := range r.items(v) {
		s, ok := asText(item)
		if !ok {
			fail("join: item %d is a %s, want strings", i, typeName(item))
		}
		if i > 0 {
			b.WriteString(sep)
		}
		r.make(len(sep) + len(s))
		b.WriteString(s)
	}
	return b.String()
}

func padded(align byte) func(*run, string, args) Value {
	return func(r *run, s string, a args) Value {
		fill := " "
		if a.has[1] {
			if fill = a.text(1); runes(fill) != 1 {
				fail("want one character to fill with")
			}
		}
		return pad(r, s, a.int(0, 0), fill, align)
	}
}

// pad fills s up to a width; the odd one of a centred text goes to the left where the
// width is odd, as str.center has it.
func pad(r *run, s string, width int, fill string, align byte) string {
	n := width - runes(s)
	if n <= 0 {
		return s
	}
	left := map[byte]int{'<': 0, '>': n, '^': n/2 + n&width&1}[align]
	return repeat(r, fill, left) + s + repeat(r, fill, n-left)
}

func zfill(r *run, s string, width int) string {
	sign := ""
	if s != "" && (s[0] == '+' || s[0] == '-') {
		sign, s = s[:1], s[1:]
	}
	return sign + repeat(r, "0", width-len(sign)-runes(s)) + s
}

func expandTabs(r *run, s string, size int) string {
	var b strings.Builder
	column := 0
	for _, c := range s {
		switch {
		case c == '\t' && size > 0:
			n := size - column%size
			b.WriteString(repeat(r, " ", n))
			column += n
		case c == '\t':
		default:
			b.WriteRune(c)
			column++
			if c == '\n' || c == '\r' {
				column = 0
			}
		}
	}
	return b.String()
}
