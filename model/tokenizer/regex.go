package tokenizer

import (
	"errors"
	"strings"
	"unicode"

	"github.com/dlclark/regexp2"
)

// compile compiles a tokenizer's pattern, which was written for Oniguruma.
// POSIX classes, which regexp2 would read as something else, are refused.
func compile(pattern string) (*regexp2.Regexp, error) {
	if strings.Contains(pattern, "[:") {
		return nil, errors.New("POSIX classes like [:alpha:] are not known")
	}
	return regexp2.Compile(foldGroups(pattern), regexp2.Multiline) // Ruby's ^ and $
}

// foldGroups spells out groups like (?i:'s|'re) as (?:'[sſS]|'[rR][eE]): regexp2
// folds by lower case alone, which misses the long s, and is slow at it. Groups
// that hold more than letters, quotes and bars are left alone.
func foldGroups(pattern string) string {
	const open = "(?i:"
	var b strings.Builder
	for {
		i := strings.Index(pattern, open)
		if i < 0 {
			break
		}
		end := strings.IndexByte(pattern[i:], ')')
		if end < 0 {
			break
		}
		body := pattern[i+len(open) : i+end]
		b.WriteString(pattern[:i])
		pattern = pattern[i+end:]
		if strings.ContainsFunc(body, func(r rune) bool { return !unicode.IsLetter(r) && r != '\'' && r != '|' }) {
			b.WriteString(open + body)
			continue
		}
		b.WriteString("(?:")
		for _, r := range body {
			b.WriteString(orbit(r))
		}
	}
	return b.String() + pattern
}

// orbit is the class of all characters that fold to the same as r.
func orbit(r rune) string {
	f := unicode.SimpleFold(r)
	if f == r {
		return string(r)
	}
	s := "[" + string(r)
	for ; f != r; f = unicode.SimpleFold(f) {
		s += string(f)
	}
	return s + "]"
}
