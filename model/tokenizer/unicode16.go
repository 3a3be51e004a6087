package tokenizer

import (
	"errors"
	"strings"
	"unicode"
)

// Go's Unicode tables are older than those that Python's tokenizers cut words by, so what
// has come since is carried (unicode_tables.go).

// UnicodeVersion is that of the characters' classes in tokenizers.
func UnicodeVersion() string { return unicodeVersion }

// newer is a class of Go's with the characters that have come since.
type newer struct {
	table *unicode.RangeTable
	more  map[rune]bool
}

func classOf(name string) newer {
	c := newer{unicode.Categories[name], map[rune]bool{}}
	pairs := addedTo(name)
	for i := 0; i < len(pairs); i += 2 {
		for r := pairs[i]; r <= pairs[i+1]; r++ {
			c.more[r] = true
		}
	}
	return c
}

func (c newer) has(r rune) bool { return unicode.Is(c.table, r) || r > unicode.MaxASCII && c.more[r] }

var (
	letterClass      = classOf("L")
	markClass        = classOf("M")
	numberClass      = classOf("N")
	digitClass       = classOf("Nd")
	punctuationClass = classOf("P")
)

// addedTo are the ranges that came to a category, such as L or Lu.
func addedTo(name string) []rune {
	var out []rune
	for category, pairs := range addedRanges {
		if strings.HasPrefix(category, name) {
			out = append(out, pairs...)
		}
	}
	return out
}

// asClass writes ranges as the inside of a character class.
func asClass(pairs []rune) string {
	var b strings.Builder
	for i := 0; i < len(pairs); i += 2 {
		b.WriteRune(pairs[i])
		if pairs[i+1] > pairs[i] {
			b.WriteRune('-')
			b.WriteRune(pairs[i+1])
		}
	}
	return b.String()
}

// modern writes the classes of a pattern with the characters that have come since Go's
// tables: \p{L} as [\p{L}...], and within brackets without more of them.
func modern(pattern string) (string, error) {
	var b strings.Builder
	depth := 0 // in brackets
	for i := 0; i < len(pattern); i++ {
		switch c := pattern[i]; {
		case c == '[':
			depth++
		case c == ']' && depth > 0 && !(i > 0 && pattern[i-1] == '['):
			depth--
		case c == '\\' && i+1 < len(pattern):
			escape, name := classEscape(pattern[i:])
			text, err := modernClass(escape, name, depth > 0)
			if err != nil {
				return "", err
			}
			b.WriteString(text)
			i += len(escape) - 1
			continue
		}
		b.WriteByte(pattern[i])
	}
	return b.String(), nil
}

// classEscape is the escape that a text begins with, and the category that it names, or "".
func classEscape(s string) (escape, name string) {
	switch s[1] {
	case 'p', 'P':
		if end := strings.IndexByte(s, '}'); len(s) > 2 && s[2] == '{' && end > 0 {
			return s[:end+1], s[3:end]
		}
		if len(s) > 2 && s[2] != '{' {
			return s[:3], s[2:3]
		}
	case 'd', 'D':
		return s[:2], "Nd"
	}
	return s[:2], ""
}

func modernClass(escape, name string, within bool) (string, error) {
	more := ""
	if name != "" {
		more = asClass(addedTo(name))
	}
	negated := escape[1] == 'P' || escape[1] == 'D'
	switch {
	case more == "":
		return escape, nil
	case negated && within:
		return "", errors.New(escape + " within brackets is not known")
	case negated:
		return "[^" + strings.ToLower(escape[:2]) + escape[2:] + more + "]", nil
	case within:
		return escape + more, nil
	}
	return "[" + escape + more + "]", nil
}
