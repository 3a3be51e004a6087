package jinja

import (
	"math/big"
	"strconv"
	"strings"
	"unicode/utf8"
)

func (l *lexer) float(s string) {
	f, err := strconv.ParseFloat(strings.ReplaceAll(s, "_", ""), 64)
	if err != nil && f == 0 {
		l.fail("%s is no number", s)
	}
	l.add(token{kind: tokFloat, num: f})
}

func (l *lexer) integer(s string) {
	n, ok := new(big.Int).SetString(strings.ReplaceAll(s, "_", ""), 0)
	if !ok || !n.IsInt64() {
		l.fail("%s: want an integer of 64 bits", s)
	}
	l.add(token{kind: tokInteger, num: int(n.Int64())})
}

func (l *lexer) quoted(s string) {
	text, bad := unescape(s[1 : len(s)-1])
	if bad != "" {
		l.fail("%s in %s", bad, s)
	}
	l.add(token{kind: tokString, text: text})
}

var simpleEscapes = map[byte]string{'\n': "", '\\': `\`, '\'': "'", '"': `"`, 'a': "\a", 'b': "\b", 'f': "\f", 'n': "\n", 'r': "\r", 't': "\t", 'v': "\v"}

// unescape reads Python's escapes; an unknown one stays as it is.
func unescape(s string) (text, bad string) {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] != '\\' || i+1 == len(s) {
			b.WriteByte(s[i])
			continue
		}
		i++
		if simple, ok := simpleEscapes[s[i]]; ok {
			b.WriteString(simple)
			continue
		}
		digits, base := escapeDigits(s[i:])
		if digits == "" {
			if strings.IndexByte("xuUN", s[i]) >= 0 {
				return "", "a bad escape \\" + s[i:i+1]
			}
			b.WriteString(s[i-1 : i+1])
			continue
		}
		c, _ := strconv.ParseUint(digits, base, 32)
		if !utf8.ValidRune(rune(c)) || c > utf8.MaxRune {
			return "", "an escape that is no Unicode character"
		}
		b.WriteRune(rune(c))
		if i += len(digits) - 1; base == 16 {
			i++
		}
	}
	return b.String(), ""
}

// escapeDigits are the digits of an escape whose letter s begins with.
func escapeDigits(s string) (digits string, base int) {
	if n := map[byte]int{'x': 2, 'u': 4, 'U': 8}[s[0]]; n > 0 {
		if len(s) > n && strings.Trim(s[1:1+n], "0123456789abcdefABCDEF") == "" {
			return s[1 : 1+n], 16
		}
		return "", 16
	}
	n := 0
	for n < len(s) && n < 3 && s[n] >= '0' && s[n] <= '7' {
		n++
	}
	return s[:n], 8
}
