package jinja

import (
	"strconv"
	"strings"
)

// A spec says how a value is written, by % or by format.
type spec struct {
	fill      string
	align     byte // '<', '>', '^', '=', or 0 as the type has it
	sign      byte // '-' only where negative, '+' or ' '
	alternate bool
	zero      bool
	width     int
	group     string // "," or "_" between thousands
	precision int    // -1: none
	kind      byte
	old       bool // of %
	// explicitSign: a sign was written, be it "-"
	explicitSign bool
}

// text writes a string.
func (s spec) text(r *run, text string) string {
	if s.precision >= 0 {
		text = r.cut(text, 0, min(s.precision, len(text)))
	}
	return s.padded(r, "", text, '<')
}

// padded fills up to the width; the fill of '=' goes between sign and digits.
func (s spec) padded(r *run, sign, digits string, align byte) string {
	if s.align != 0 {
		align = s.align
	}
	n := s.width - runes(sign) - runes(digits)
	left := map[byte]int{'<': 0, '>': n, '^': n / 2, '=': 0}[align]
	if align == '=' {
		return sign + repeat(r, s.fill, n) + digits
	}
	return repeat(r, s.fill, left) + sign + digits + repeat(r, s.fill, n-left)
}

// number writes a number from its digits, with sign, groups and zeros.
func (s spec) number(r *run, negative bool, prefix, digits string) string {
	sign := map[byte]string{'+': "+", ' ': " "}[s.sign]
	if negative {
		sign = "-"
	}
	sign += prefix
	whole := len(digits) - len(strings.TrimLeft(digits, "0123456789abcdefABCDEF"))
	if s.kind != 'x' && s.kind != 'X' {
		whole = len(digits) - len(strings.TrimLeft(digits, "0123456789"))
	}
	size := 3
	if strings.IndexByte("xXob", s.kind) >= 0 && s.kind != 0 {
		size = 4
	}
	if s.zero {
		s.fill, s.align = "0", '='
	}
	if s.group != "" {
		rest := len(digits) - whole
		least := 0
		if s.fill == "0" && s.align == '=' {
			least = s.width - len(sign) - rest
		}
		digits = grouping(digits[:whole], s.group, size, least) + digits[whole:]
	}
	return s.padded(r, sign, digits, '>')
}

// grouping puts a separator after every size digits, and zeros before them up to a
// width.
func grouping(digits, sep string, size, width int) string {
	var parts []string
	for len(digits) > size {
		parts = append(parts, digits[len(digits)-size:])
		digits = digits[:len(digits)-size]
	}
	text := strings.Join(reversed(append(parts, digits)), sep)
	if width > 1<<20 {
		fail("a width of %d", width)
	}
	first := len(digits)
	for len(text) < width {
		if first == size {
			text, first = sep+text, 0
			if len(text) == width {
				return "0" + text
			}
		}
		text, first = "0"+text, first+1
	}
	return text
}

// integer writes an int.
func (s spec) integer(r *run, i int) string {
	if s.precision > 1<<20 {
		fail("a precision of %d", s.precision)
	}
	size := uint64(i)
	if i < 0 {
		size = -size
	}
	base, prefix := 10, ""
	switch s.kind {
	case 'x', 'X':
		base, prefix = 16, "0"+string(s.kind)
	case 'o':
		base, prefix = 8, "0o"
	case 'b':
		base, prefix = 2, "0b"
	}
	digits := strconv.FormatUint(size, base)
	if s.kind == 'X' {
		digits = strings.ToUpper(digits)
	}
	if s.old && s.precision > len(digits) {
		digits = strings.Repeat("0", s.precision-len(digits)) + digits
	}
	if !s.alternate {
		prefix = ""
	}
	return s.number(r, i < 0, prefix, digits)
}
