package jinja

import (
	"strings"
	"unicode"
)

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
	"islower":      oneCase(isLower),
	"isupper":      oneCase(isUpper),
	"istitle":      isTitle,
}

func all(holds func(rune) bool) func(string) bool {
	return func(s string) bool {
		return s != "" && strings.IndexFunc(s, func(c rune) bool { return !holds(c) }) < 0
	}
}

func isDigit(c rune) bool { return unicode.Is(unicode.Nd, c) || in(otherDigits, c) }

func isNumeric(c rune) bool { return unicode.IsNumber(c) || in(numerals, c) }

// isIdentifier is Unicode's XID_Start and XID_Continue.
func isIdentifier(s string) bool {
	for i, c := range s {
		letter := unicode.IsLetter(c) || unicode.In(c, unicode.Nl, unicode.Other_ID_Start)
		switch {
		case c == '_', letter && !in(noStart, c):
		case i > 0 && !in(noContinue, c) && (letter || unicode.In(c, unicode.Nd, unicode.Mn, unicode.Mc, unicode.Pc, unicode.Other_ID_Continue)):
		default:
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
		upper := isUpper(c) || unicode.IsTitle(c)
		if cased(c) && upper == before {
			return false
		}
		before = cased(c)
		found = found || before
	}
	return found
}
