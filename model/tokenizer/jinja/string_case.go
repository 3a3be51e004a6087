package jinja

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/cases"
	"golang.org/x/text/language"
)

// Python maps case by Unicode's full tables, in which a letter may become several.

func upper(s string) string    { return cases.Upper(language.Und).String(s) }
func lower(s string) string    { return cases.Lower(language.Und).String(s) }
func casefold(s string) string { return cases.Fold().String(s) }

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

func cased(c rune) bool {
	return unicode.IsUpper(c) || unicode.IsLower(c) || unicode.IsTitle(c) || unicode.Is(unicode.Other_Lowercase, c) || unicode.Is(unicode.Other_Uppercase, c)
}

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
		case unicode.IsUpper(c):
			b.WriteString(lower(string(c)))
		case unicode.IsLower(c):
			b.WriteString(upper(string(c)))
		default:
			b.WriteRune(c)
		}
	}
	return b.String()
}

// stringChecks are the methods of str that ask what a string is made of.
var stringChecks = map[string]func(string) bool{
	"isspace":   all(isSpace),
	"isalpha":   all(unicode.IsLetter),
	"isdecimal": all(func(c rune) bool { return unicode.Is(unicode.Nd, c) }),
	"isdigit":   all(isDigit),
	"isnumeric": all(isNumeric),
	"isalnum":   all(func(c rune) bool { return unicode.IsLetter(c) || isNumeric(c) }),
	"isascii":   func(s string) bool { return strings.IndexFunc(s, func(c rune) bool { return c > 127 }) < 0 },
	"isprintable": func(s string) bool {
		return strings.IndexFunc(s, func(c rune) bool { return c != ' ' && !unicode.IsPrint(c) }) < 0
	},
	"isidentifier": isIdentifier,
	"islower":      oneCase(func(c rune) bool { return unicode.IsLower(c) || unicode.Is(unicode.Other_Lowercase, c) }),
	"isupper":      oneCase(func(c rune) bool { return unicode.IsUpper(c) || unicode.Is(unicode.Other_Uppercase, c) }),
	"istitle":      isTitle,
}

func all(holds func(rune) bool) func(string) bool {
	return func(s string) bool {
		return s != "" && strings.IndexFunc(s, func(c rune) bool { return !holds(c) }) < 0
	}
}

// isDigit also takes superscripts and digits in circles.
func isDigit(c rune) bool {
	return unicode.Is(unicode.Nd, c) || strings.ContainsRune("²³¹", c) || c >= 0x2070 && c <= 0x2089 && unicode.Is(unicode.No, c) ||
		c >= 0x2460 && c <= 0x2468 || c >= 0x2474 && c <= 0x247C || c >= 0x2488 && c <= 0x2490 || c == 0x24EA || c >= 0x24F5 && c <= 0x24FD || c == 0x24FF ||
		c >= 0x2776 && c <= 0x277E || c >= 0x2780 && c <= 0x2788 || c >= 0x278A && c <= 0x2792
}

// isNumeric also takes the numerals among the ideographs.
func isNumeric(c rune) bool {
	return unicode.IsNumber(c) || strings.ContainsRune("〇一二三四五六七八九十百千万億兆零壹贰叁肆伍陆柒捌玖拾佰仟萬壱弐参两亿", c)
}

func isIdentifier(s string) bool {
	for i, c := range s {
		if c != '_' && !unicode.IsLetter(c) && !unicode.Is(unicode.Nl, c) && (i == 0 || !unicode.In(c, unicode.Nd, unicode.Mn, unicode.Mc, unicode.Pc)) {
			return false
		}
	}
	return s != ""
}

func oneCase(holds func(rune) bool) func(string) bool {
	return func(s string) bool {
		found := false
		for _, c := range s {
			if cased(c) && !holds(c) {
				return false
			}
			found = found || holds(c)
		}
		return found
	}
}

func isTitle(s string) bool {
	before, found := false, false
	for _, c := range s {
		upper := unicode.IsUpper(c) || unicode.IsTitle(c)
		if cased(c) && upper == before {
			return false
		}
		before = cased(c)
		found = found || before
	}
	return found
}
