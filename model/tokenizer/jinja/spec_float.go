package jinja

import (
	"math"
	"strconv"
	"strings"
)

// float writes a float64.
func (s spec) float(r *run, f float64) string {
	kind, digits := s.kind, ""
	if s.precision > 1<<16 {
		fail("a precision of %d", s.precision)
	}
	switch lower := kind | 0x20; {
	case f != f:
		digits = "nan"
	case math.IsInf(f, 0):
		digits = "inf"
	case kind == 0 && s.precision < 0:
		digits = reprFloat(math.Abs(f))
	default:
		digits = s.digits(math.Abs(f), lower)
	}
	suffix := ""
	if kind == '%' {
		suffix = "%"
	}
	if kind >= 'A' && kind <= 'Z' {
		digits = strings.ToUpper(digits)
	}
	return s.number(r, math.Signbit(f) && f == f, "", digits+suffix)
}

func (s spec) digits(f float64, kind byte) string {
	precision := s.precision
	if precision < 0 {
		precision = 6
	}
	point := func(text string) string {
		if s.alternate && precision == 0 {
			whole, exponent, _ := strings.Cut(text, "e")
			if exponent != "" {
				exponent = "e" + exponent
			}
			return whole + "." + exponent
		}
		return text
	}
	switch kind {
	case 'f':
		return point(strconv.FormatFloat(f, 'f', precision, 64))
	case 'e':
		return point(strconv.FormatFloat(f, 'e', precision, 64))
	case '%' | 0x20:
		return point(strconv.FormatFloat(f*100, 'f', precision, 64))
	}
	return s.general(f, max(precision, 1))
}

// general is the shorter of the two, as of %g; without a kind a float keeps a digit
// after its point.
func (s spec) general(f float64, precision int) string {
	exponential := strconv.FormatFloat(f, 'e', precision-1, 64)
	at := strings.IndexByte(exponential, 'e')
	e, _ := strconv.Atoi(exponential[at+1:])
	top := precision
	if s.kind == 0 {
		top--
	}
	trim := func(text string) string {
		if s.alternate || !strings.Contains(text, ".") {
			return text
		}
		return strings.TrimSuffix(strings.TrimRight(text, "0"), ".")
	}
	if e < -4 || e >= max(top, 0) && !(s.kind == 0 && f == 0) {
		return trim(exponential[:at]) + exponential[at:]
	}
	text := trim(strconv.FormatFloat(f, 'f', max(precision-1-e, 0), 64))
	if s.kind == 0 && !strings.Contains(text, ".") {
		text += ".0"
	}
	return text
}
