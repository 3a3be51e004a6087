package jinja

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Patterns are Jinja2's. Blank is Python's \s, which knows more than Go's.
const blank = `[\t-\r\x1c-\x1f \x{85}\p{Z}]`

var (
	rawBegin   = regexp.MustCompile(`^\{%([-+]?)` + blank + `*raw` + blank + `*(?:-%\}` + blank + `*|%\})`)
	rawEnd     = regexp.MustCompile(`\{%([-+]?)` + blank + `*endraw` + blank + `*(?:\+%\}|-%\}` + blank + `*|%\}\n?)`)
	commentEnd = regexp.MustCompile(`\+#\}|-#\}` + blank + `*|#\}\n?`)
	blockEnd   = regexp.MustCompile(`^(?:\+%\}|-%\}` + blank + `*|%\}\n?)`)
	varEnd     = regexp.MustCompile(`^(?:-\}\}` + blank + `*|\}\})`)
	spaces     = regexp.MustCompile(`^` + blank + `+`)
	float      = regexp.MustCompile(`^(?:\d+_)*\d+(?:(?:\.(?:\d+_)*\d+)?[eE][+\-]?(?:\d+_)*\d+|\.(?:\d+_)*\d+)`)
	integer    = regexp.MustCompile(`^(?i:0b(?:_?[01])+|0o(?:_?[0-7])+|0x(?:_?[\da-f])+|[1-9](?:_?\d)*|0(?:_?0)*)`)
	word       = regexp.MustCompile(`^[\pL\p{Nd}\p{Nl}\p{Mn}\p{Mc}\p{Pc}]+`)
	quoted     = regexp.MustCompile(`^(?s:'[^'\\]*(?:\\.[^'\\]*)*'|"[^"\\]*(?:\\.[^"\\]*)*")`)
	operators  = regexp.MustCompile(`^(?://|\*\*|==|!=|>=|<=|[-+/*%~\[\](){}<>=.:|,;])`)
)

var closing = map[string]string{"{": "}", "(": ")", "[": "]"}

// A lexer cuts a template into tokens, with trim_blocks and lstrip_blocks.
type lexer struct {
	source    string
	at, line  int
	lineStart bool // what came before ended a line
	open      []string
	tokens    []token
}

func tokens(source string) []token {
	source = strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(source)
	l := &lexer{source: strings.TrimSuffix(source, "\n"), line: 1, lineStart: true}
	for l.at < len(l.source) {
		l.text()
	}
	l.add(token{kind: tokEOF})
	return l.tokens
}

func (l *lexer) add(t token) {
	t.line = l.line
	l.tokens = append(l.tokens, t)
}

func (l *lexer) data(s string) {
	if s != "" {
		l.add(token{kind: tokData, text: s})
	}
}

func (l *lexer) fail(format string, args ...any) {
	fail("line %d: "+format, append([]any{l.line}, args...)...)
}

// skip goes over n bytes.
func (l *lexer) skip(n int) {
	gone := l.source[l.at : l.at+n]
	l.line += strings.Count(gone, "\n")
	l.lineStart = strings.HasSuffix(gone, "\n")
	l.at += n
}

// text reads up to the next tag, and that tag.
func (l *lexer) text() {
	rest := l.source[l.at:]
	n := tagAt(rest)
	if n < 0 {
		l.data(rest)
		l.skip(len(rest))
		return
	}
	sign, length, raw := "", 2, rawBegin.FindStringSubmatch(rest[n:])
	if raw != nil {
		sign, length = raw[1], len(raw[0])
	} else if n+2 < len(rest) && (rest[n+2] == '-' || rest[n+2] == '+') {
		sign, length = rest[n+2:n+3], 3
	}
	kind := rest[n : n+2]
	l.data(l.stripped(rest[:n], sign, kind == tokVariableBegin))
	l.skip(n + length)
	switch {
	case raw != nil:
		l.raw()
	case kind == "{#":
		l.comment()
	case kind == tokVariableBegin:
		l.tag(kind, tokVariableEnd, varEnd)
	default:
		l.tag(kind, tokBlockEnd, blockEnd)
	}
}

func tagAt(s string) int {
	for from := 0; ; {
		n := strings.IndexByte(s[from:], '{')
		if n < 0 || from+n+1 >= len(s) {
			return -1
		}
		if from += n; strings.IndexByte("%{#", s[from+1]) >= 0 {
			return from
		}
		from++
	}
}

// stripped is the text before a tag without what the tag's sign takes, or, before a
// block or a comment, without the blanks that stand alone on its line.
func (l *lexer) stripped(text, sign string, variable bool) string {
	if sign == "-" {
		return strings.TrimRightFunc(text, isSpace)
	}
	if line := strings.LastIndexByte(text, '\n') + 1; sign != "+" && !variable && (line > 0 || l.lineStart) &&
		strings.TrimFunc(text[line:], isSpace) == "" {
		return text[:line]
	}
	return text
}

func (l *lexer) raw() {
	m := rawEnd.FindStringSubmatchIndex(l.source[l.at:])
	if m == nil {
		l.fail("raw without endraw")
	}
	rest := l.source[l.at:]
	l.data(l.stripped(rest[:m[0]], rest[m[2]:m[3]], false))
	l.skip(m[1])
}

func (l *lexer) comment() {
	m := commentEnd.FindStringIndex(l.source[l.at:])
	if m == nil {
		l.fail("a comment without its end")
	}
	l.skip(m[1])
}

// tag reads the tokens of a block or a variable.
func (l *lexer) tag(begin, end string, ends *regexp.Regexp) {
	l.add(token{kind: begin})
	l.open = l.open[:0]
	for l.at < len(l.source) {
		if m := ends.FindString(l.source[l.at:]); m != "" && len(l.open) == 0 {
			l.add(token{kind: end})
			l.skip(len(m))
			return
		}
		l.inTag()
	}
}

func (l *lexer) inTag() {
	rest := l.source[l.at:]
	for _, rule := range []struct {
		pattern *regexp.Regexp
		take    func(string)
	}{{spaces, func(string) {}}, {float, l.float}, {integer, l.integer}, {word, l.name}, {quoted, l.quoted}, {operators, l.operator}} {
		if rule.pattern == float && l.at > 0 && l.source[l.at-1] == '.' {
			continue
		}
		if m := rule.pattern.FindString(rest); m != "" {
			rule.take(m)
			l.skip(len(m))
			return
		}
	}
	c, _ := utf8.DecodeRuneInString(rest)
	l.fail("unexpected %q", c)
}

func (l *lexer) name(s string) {
	if c, _ := utf8.DecodeRuneInString(s); !unicode.IsLetter(c) && c != '_' && !unicode.Is(unicode.Nl, c) {
		l.fail("%q is no name", s)
	}
	l.add(token{kind: tokName, text: s})
}

func (l *lexer) operator(s string) {
	if end, ok := closing[s]; ok {
		l.open = append(l.open, end)
	} else if strings.Contains("})]", s) {
		if len(l.open) == 0 || l.open[len(l.open)-1] != s {
			l.fail("unexpected %q", s)
		}
		l.open = l.open[:len(l.open)-1]
	}
	l.add(token{kind: s})
}
