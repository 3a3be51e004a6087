package jsonmask

import (
	"fmt"
	"strings"
	"testing"
)

// A pattern holds strings to ECMA-262, not to another dialect, token by token.
func TestPatternSchemas(t *testing.T) {
	v := toyVocabulary()
	for _, c := range []struct {
		pattern  string
		yes, not []string
	}{
		{`^\\S+$`, []string{`"a"`, `"é"`}, []string{"\"\u00a0\"", "\"\ufeff\"", "\"a\u2028\"", `"a b"`, `""`}},
		{`^\\u00e9\\x61$`, []string{`"éa"`}, []string{`"ée"`}},
		{`^[a-z]{1,2000}$`, []string{`"` + strings.Repeat("ab", 1000) + `"`}, []string{`"` + strings.Repeat("a", 2001) + `"`, `""`}},
		{`^(?!.*ab)[ab]{2,}$`, []string{`"ba"`, `"bbaa"`}, []string{`"ab"`, `"bab"`, `"a"`}},
		{`^(?=.*[0-9])(?=.*[a-z]).{2,4}$`, []string{`"a1"`, `"1--a"`}, []string{`"aa"`, `"1-a--"`}},
		{`\\bab\\b`, []string{`"ab"`, `"x ab."`}, []string{`"xab"`, `"ab_"`}},
		{`^\\p{Lu}\\p{Script=Greek}*$`, []string{`"Éα"`, `"Ω"`}, []string{`"éα"`, `"Aa"`}},
		{`^a$b|^x$`, []string{`"x"`}, []string{`"a"`, `"ab"`}},
		{`(?<=a)b$`, []string{`"ab"`, `"xxab"`}, []string{`"b"`, `"bb"`}},
	} {
		e := mustSchema(t, v, `{"type":"string","pattern":"`+c.pattern+`"}`)
		judge(t, e, c.pattern, c.yes, c.not)
	}
}

// No byte that a mask allows leads to where a string cannot end.
func TestPatternsHaveNoDeadEnds(t *testing.T) {
	for _, c := range []struct{ pattern, dead string }{
		{`^(?=.*b)a*$|^x$`, `"a`}, {`^[ab]\\B[ab]\\b[ab]$|^x$`, `"a`}, {`^(?!a)(?<!b)(a|x)$`, `"a`}, {`^(a^b|x)$`, `"a`}, {`^(ab^c|x)$`, `"a`}, {`^(é(?!.)c|x)$`, "\"\xc3"},
	} {
		e := mustSchema(t, toyVocabulary(), `{"type":"string","pattern":"`+c.pattern+`"}`)
		if e.g.m.run(e.at, []byte(c.dead)) != nil {
			t.Errorf("%s goes on with %q, want nothing", c.pattern, c.dead)
		}
		if !accepts(t, e, `"x"`) {
			t.Errorf("%s refuses x", c.pattern)
		}
	}
}

// Beside a least length a first byte is allowed only if the whole string can end.
func TestPatternBesideALength(t *testing.T) {
	e := mustSchema(t, toyVocabulary(), `{"type":"string","pattern":"^(é|ab)$","minLength":2}`)
	if e.g.m.run(e.at, []byte("\"\xc3")) != nil || !accepts(t, e, `"ab"`) {
		t.Error("want ab alone")
	}
}

// Hostile patterns end in an error that says why, or in an automaton.
func TestHostilePatterns(t *testing.T) {
	for expr, want := range map[string]string{
		"(a{0,5000}){0,5000}":                      "more than 65536 states",
		"a{2147483648}":                            "more than 65536 states",
		strings.Repeat("(", 5000):                  "groups within each other",
		strings.Repeat("(?:a{1,9}", 30):            "(",
		"(?=.*a.{40}b)(?=.*b.{40}a)":               "too many states",
		"(?<=a.{30})b":                             "too many states",
		strings.Repeat("(?=.*[a-z].{9})", 60):      "",
		strings.Repeat("(?<=a)b", 17):              "more than 16 assertions",
		"(?<=a(?=b))":                              "within one of what came before",
		"(?:){0,99999999}(){99999999}":             "",
		"((((a*)*)*)*)*b":                          "",
		strings.Repeat("(?!(a|b)*c", 40):           "(",
		`(a)(?<n>b)\k<n>`:                          "back reference",
		`\p{Emoji}`:                                "Emoji",
		"[[:alpha:]" + strings.Repeat("|x", 30000): "",
		strings.Repeat(`(?=[a-z]*\d{3,9}\b)`, 80):  "",
	} {
		_, err := newPattern(expr)
		if want == "" && err == nil {
			continue
		}
		if err == nil || !strings.Contains(err.Error(), want) || want == "" && !strings.Contains(err.Error(), "too many") {
			t.Errorf("%.40s: %.200v, want %q", expr, err, want)
		}
		if err != nil && len(err.Error()) > 1200 {
			t.Errorf("%.40s: a message of %d bytes", expr, len(err.Error()))
		}
	}
}

// What is read ends, a step brings a match nearer by one code point at most, and a
// group around a pattern changes nothing.
func FuzzPattern(f *testing.F) {
	for _, c := range goldenPatterns(f).Cases[:500] {
		f.Add(c[0], "ab é")
	}
	f.Fuzz(func(t *testing.T, expr, text string) {
		p, err := newPattern(expr)
		if err != nil || len(text) > 100 {
			return
		}
		at, dead := int32(0), false
		for _, r := range text {
			least := p.least(at)
			to, ok := p.step(at, r)
			if dead = dead || !ok; dead {
				break
			}
			if p.states[to].least < noMatch && p.states[to].least+1 < least {
				t.Fatalf("%q: a match is %d away, and after %q %d", expr, least, r, p.states[to].least)
			}
			at = to
		}
		if !dead && p.states[at].atEnd && p.least(at) != 0 {
			t.Fatalf("%q matches %q, and least is %d", expr, text, p.least(at))
		}
		if again, err := newPattern("(?:" + expr + ")"); err == nil && again.finds(text) != p.finds(text) {
			t.Fatalf("%q in a group finds otherwise in %q", expr, text)
		}
	})
}

func BenchmarkPattern(b *testing.B) {
	for i, expr := range []string{"^[a-z]+[0-9]?$", "b+", `^\d{4}-\d{2}-\d{2}$`, "^(" + formats["ipv6"].expr + ")$", "^(" + formats["uri"].expr + ")$", `^\w{1,900}$`, "^[^a]{2,50}$"} {
		b.Run(fmt.Sprint("compile/", i), func(b *testing.B) {
			for b.Loop() {
				if _, err := newPattern(expr); err != nil {
					b.Fatal(err)
				}
			}
		})
		b.Run(fmt.Sprint("steps/", i), func(b *testing.B) {
			text := "2001-02-03:4af::http://example.org/a?q=é日本 abcz09"
			for b.Loop() {
				p, _ := newPattern(expr)
				for range 20 {
					at, ok := int32(0), true
					for _, r := range text {
						if at, ok = p.step(at, r); !ok {
							at = 0
						}
					}
				}
			}
		})
		b.Run(fmt.Sprint("masks/", i), func(b *testing.B) {
			v := toyVocabulary()
			for b.Loop() {
				e, err := Schema(v, fmt.Appendf(nil, `{"type":"string","pattern":%q}`, expr), Options{Blanks: MaxBlanks})
				if err != nil {
					b.Fatal(err)
				}
				s := e.(state)
				for _, text := range []string{`"2001-02-03"`, `"abcb"`, `"::1"`, `"http://example.org/a?q=b"`, `"é日本"`} {
					at := s.g.m.start
					for i := 0; i < len(text) && at != nil; i++ {
						s.g.tokens(at)
						at = s.g.m.step(at, text[i])
					}
				}
			}
		})
	}
}
