package tokenizer

import (
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// A normalizer rewrites text before it is cut into words, step by step.
type normalizer []func(string) string

func (n normalizer) normalize(s string) string {
	for _, step := range n {
		if s == "" {
			return s // nothing is prepended to nothing
		}
		s = step(s)
	}
	return s
}

// form is a Unicode normalisation form.
func form(f norm.Form) func(string) string {
	return func(s string) string {
		if streamSafe(s) {
			return f.String(s)
		}
		return normalizeLong(f, s)
	}
}

func replaceString(old, new string) func(string) string {
	return func(s string) string { return strings.ReplaceAll(s, old, new) }
}

func prepend(p string) func(string) string {
	return func(s string) string { return p + s }
}

func strip(left, right bool) func(string) string {
	return func(s string) string {
		if left {
			s = strings.TrimLeftFunc(s, unicode.IsSpace)
		}
		if right {
			s = strings.TrimRightFunc(s, unicode.IsSpace)
		}
		return s
	}
}

// lowercase maps characters one by one: Σ at a word's end too becomes σ, and İ
// becomes two characters.
func lowercase(s string) string {
	return strings.ReplaceAll(strings.Map(func(r rune) rune {
		if r == 'İ' {
			return r
		}
		return unicode.ToLower(r)
	}, s), "İ", "i\u0307")
}

// stripAccents drops combining marks.
func stripAccents(s string) string {
	return strings.Map(func(r rune) rune {
		if markClass.has(r) {
			return -1
		}
		return r
	}, s)
}
