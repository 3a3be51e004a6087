package tokenizer

import (
	"strings"
	"unicode/utf8"
)

const replacement = "\uFFFD"

// lossy replaces every maximal invalid part of s by one U+FFFD (Unicode 15, section
// 3.9, "substitution of maximal subparts"), as Python and Rust do. Go's
// strings.ToValidUTF8 would make one of a whole run.
func lossy(s string) string {
	if utf8.ValidString(s) {
		return s
	}
	var b strings.Builder
	for len(s) > 0 {
		r, n := utf8.DecodeRuneInString(s)
		if r == utf8.RuneError && n == 1 {
			b.WriteString(replacement)
			s = s[subpart(s):]
			continue
		}
		b.WriteString(s[:n])
		s = s[n:]
	}
	return b.String()
}

// subpart is the length of the longest prefix of s, at least 1, that begins some
// code point, for an s that begins with none.
func subpart(s string) int {
	n := 1
	for n < len(s) && n < utf8.UTFMax && opens(s[:n+1]) {
		n++
	}
	return n
}

// opens reports whether some code point's encoding begins with s and is longer.
func opens(s string) bool { return !utf8.FullRuneInString(s) }

// unfinished is the length of the end of s that a later byte could still complete.
func unfinished(s string) int {
	for n := 1; n < utf8.UTFMax && n <= len(s); n++ {
		if utf8.RuneStart(s[len(s)-n]) {
			if opens(s[len(s)-n:]) {
				return n
			}
			return 0
		}
	}
	return 0
}
