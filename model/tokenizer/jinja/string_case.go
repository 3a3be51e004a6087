package jinja

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/cases"
	"golang.org/x/text/language"
)

// Python maps case by Unicode's full tables, in which a letter may become several.

func upper(s string) string { return cases.Upper(language.Und).String(s) }
func lower(s string) string { return cases.Lower(language.Und).String(s) }

// casefold folds Cherokee letters to the capitals, which x/text does not.
func casefold(s string) string {
	var b strings.Builder
	for _, c := range s {
		if c >= 0x13A0 && c <= 0x13F5 {
			b.WriteRune(c)
		} else {
			b.WriteString(cases.Fold().String(string(c)))
		}
	}
	return b.String()
}

// titled is a character in title case.
func titled(c rune) string {
	return cases.Title(language.Und, cases.NoLower).String(string(c))
}

func capitalize(s string) string {
	c, n := utf8.DecodeRuneInString(s)
	if n == 0 {
		return ""
	}
	return titled(c) + lowerAfter(s, n)
}

// lowerAfter is s[n:] in lower case; a sigma there may be final because of what stands
// before it.
func lowerAfter(s string, n int) string {
	whole, first := lower(s), lower(s[:n])
	if strings.HasPrefix(whole, first) {
		return whole[len(first):]
	}
	return lower(s[n:])
}

func isLower(c rune) bool { return unicode.In(c, unicode.Ll, unicode.Other_Lowercase) }
func isUpper(c rune) bool { return unicode.In(c, unicode.Lu, unicode.Other_Uppercase) }
func cased(c rune) bool   { return isLower(c) || isUpper(c) || unicode.IsTitle(c) }

// title is str.title: what follows a character without case is in title case.
func title(s string) string {
	var b strings.Builder
	before := false
	for i, c := range s {
		n := utf8.RuneLen(c)
		switch {
		case !before:
			b.WriteString(titled(c))
		case c == 'Σ':
			b.WriteString(sigma(s, i))
		default:
			b.WriteString(lower(s[i : i+n]))
		}
		before = cased(c)
	}
	return b.String()
}

// sigma is the lower case of the sigma at i of s.
func sigma(s string, i int) string {
	before, after := lower(s[:i]), lower(s[:i]+"Σ"+s[i+len("Σ"):])
	c, _ := utf8.DecodeRuneInString(strings.TrimPrefix(after, before))
	return string(c)
}

func swapcase(s string) string {
	var b strings.Builder
	for i, c := range s {
		switch {
		case c == 'Σ':
			b.WriteString(sigma(s, i))
		case isUpper(c):
			b.WriteString(lower(string(c)))
		case isLower(c):
			b.WriteString(upper(string(c)))
		default:
			b.WriteRune(c)
		}
	}
	return b.String()
}
