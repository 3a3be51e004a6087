package tokenizer

import (
	"errors"
	"strings"
	"testing"
	"time"
	"unicode"
)

// What Unicode 16 has and Go's tables lack is a letter, a mark, a number or punctuation in
// patterns and in pre-tokenizers; the counts are those of Python's tokenizers 0.23.
func TestUnicode16(t *testing.T) {
	if UnicodeVersion() != "16.0.0" {
		t.Errorf("Unicode %s, want 16.0.0", UnicodeVersion())
	}
	for name, c := range map[string]struct {
		class newer
		want  int
	}{"L": {letterClass, 141028}, "M": {markClass, 2501}, "N": {numberClass, 1911}, "P": {punctuationClass, 855}} {
		re, err := compile(`\p{` + name + `}`)
		if err != nil {
			t.Fatal(err)
		}
		n := 0
		for r := rune(0); r <= unicode.MaxRune; r++ {
			if c.class.has(r) {
				n++
			}
			if r > 0x3000 && r%31 > 0 || 0xd800 <= r && r < 0xe000 { // the pattern is slow: all of the small ones, and some
				continue
			}
			if match, err := re.MatchString(string(r)); err != nil || match != c.class.has(r) {
				t.Fatalf("%U is in \\p{%s}: %v (%v), in the class %v", r, name, match, err, c.class.has(r))
			}
		}
		if n != c.want {
			t.Errorf("%d characters in %s, want %d", n, name, c.want)
		}
	}
}

// Classes within brackets, negated ones and escapes keep their meaning.
func TestModernPatterns(t *testing.T) {
	const letter = "\u1c89" // Lu since 16
	for pattern, want := range map[string]bool{
		`^\p{L}$`: true, `^\p{Lu}$`: true, `^\p{Ll}$`: false, `^\P{L}$`: false, `^[^\s\p{L}\p{N}]$`: false, `^[\p{L}x]$`: true, `^\pL$`: true, `^\p{N}$`: false,
		`^[\]\p{L}]$`: true, `^[^\P{Zs}]$`: false, `^\\p$`: false,
	} {
		re, err := compile(pattern)
		if err != nil {
			t.Errorf("%s: %v", pattern, err)
			continue
		}
		if got, err := re.MatchString(letter); got != want || err != nil {
			t.Errorf("%s matches %U: %v, want %v (%v)", pattern, []rune(letter), got, want, err)
		}
	}
	if _, err := compile(`[\P{L}x]`); err == nil || !strings.Contains(err.Error(), `\P{L} within brackets`) {
		t.Errorf("%v", err)
	}
}

// A pattern that backtracks for ever is an error that says so, not a text cut wrongly.
func TestPatternTime(t *testing.T) {
	before := patternTime
	patternTime = 50 * time.Millisecond
	defer func() { patternTime = before }()
	re, err := compile(`(?:a|aa)+$`)
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		err, _ := recover().(error)
		var slow *PatternError
		if !errors.As(err, &slow) || !strings.Contains(err.Error(), `took longer than 50ms on this text`) {
			t.Errorf("%v, want a PatternError", err)
		}
	}()
	matching(re)(strings.Repeat("a", 60) + "!")
	t.Error("the pattern ended")
}
