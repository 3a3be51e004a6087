package tokenizer

import (
	"errors"
	"fmt"
	"strings"
	"time"
	"unicode"

	"github.com/dlclark/regexp2"
)

// compile compiles a tokenizer's pattern, which was written for Oniguruma.
// POSIX classes, which regexp2 would read as something else, are refused.
func compile(pattern string) (*regexp2.Regexp, error) {
	if strings.Contains(pattern, "[:") {
		return nil, errors.New("POSIX classes like [:alpha:] are not known")
	}
	pattern, err := modern(foldGroups(pattern))
	if err != nil {
		return nil, err
	}
	re, err := regexp2.Compile(pattern, regexp2.Multiline) // Ruby's ^ and $
	if err == nil {
		re.MatchTimeout = patternTime
	}
	return re, err
}

// A PatternError is what encoding panics with where a pattern of the tokenizer takes longer
// than its time: its text cannot be cut into words, and nothing else would be right.
type PatternError struct {
	Pattern string
	Err     error
}

// Error implements error.
func (e *PatternError) Error() string {
	return fmt.Sprintf("tokenizer: a pattern of the tokenizer took longer than %v on this text, want one that does not backtrack so: %.60q", patternTime, e.Pattern)
}

// Unwrap returns the matcher's error.
func (e *PatternError) Unwrap() error { return e.Err }

// patternTime is how long one match of a pattern may take. The patterns of real tokenizers
// take microseconds; one made to backtrack for ever ends here.
var patternTime = 2 * time.Second

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
