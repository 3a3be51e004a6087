package jinja

import (
	"math"
	"math/big"
	"regexp"
	"strconv"
	"strings"
)

var numberFilters = map[string]*builtin{
	"abs": def("", func(r *run, self Value, a args) Value {
		if f, ok := self.(float64); ok {
			return math.Abs(f)
		}
		i, ok := asInt(must(self))
		if !ok {
			return fail("abs of a %s", typeName(self))
		}
		overflow(i != math.MinInt)
		return max(i, -i)
	}),
	"int":            def("default? base?", toInt),
	"float":          def("default?", toFloat),
	"round":          def("precision? method?", round),
	"filesizeformat": def("binary?", fileSize),
}

func toInt(r *run, self Value, a args) Value {
	must(self)
	otherwise := a.or(0, 0)
	if s, ok := asText(self); ok {
		if i, ok := parseInt(s, a.int(1, 10)); ok {
			return i
		}
		f, ok := parseFloat(s)
		if !ok || math.IsInf(f, 0) || f != f {
			return otherwise
		}
		return truncated(f)
	}
	if i, ok := asInt(self); ok {
		return i
	}
	f, ok := self.(float64)
	switch {
	case !ok || f != f:
		return otherwise
	case math.IsInf(f, 0):
		return fail("int of infinity")
	}
	return truncated(f)
}

func truncated(f float64) int {
	overflow(math.Abs(f) < 1<<63)
	return int(f)
}

func toFloat(r *run, self Value, a args) Value {
	must(self)
	if f, ok := asFloat(self); ok {
		return f
	}
	if s, ok := asText(self); ok {
		if f, ok := parseFloat(s); ok {
			return f
		}
	}
	return a.or(0, 0.0)
}

// ascii turns the decimal digits of all scripts into ours.
func ascii(s string) string {
	return strings.Map(func(c rune) rune {
		if c > 127 && stringChecks["isdecimal"](string(c)) {
			n := rune(0)
			for stringChecks["isdecimal"](string(c-n-1)) && n < 9 {
				n++
			}
			return '0' + n%10
		}
		return c
	}, strings.TrimFunc(s, isSpace))
}

var (
	intText   = regexp.MustCompile(`^[-+]?[0-9a-zA-Z]+(?:_[0-9a-zA-Z]+)*$`)
	floatText = regexp.MustCompile(`^(?i)[-+]?(?:inf|infinity|nan|(?:\d+(?:_\d+)*\.?(?:\d+(?:_\d+)*)?|\.\d+(?:_\d+)*)(?:e[-+]?\d+(?:_\d+)*)?)$`)
	prefixes  = map[int]string{2: "0b", 8: "0o", 16: "0x"}
)

// parseInt is Python's int of a string.
func parseInt(s string, base int) (int, bool) {
	if base != 0 && (base < 2 || base > 36) {
		return 0, false
	}
	s = ascii(s)
	if !intText.MatchString(s) {
		return 0, false
	}
	sign := strings.HasPrefix(s, "-")
	digits := strings.ToLower(strings.TrimLeft(s, "+-"))
	if p := prefixes[base]; p != "" {
		digits = strings.TrimPrefix(strings.TrimPrefix(digits, p), "_")
	}
	if base == 0 && len(digits) > 1 && digits[0] == '0' && digits[1] >= '0' && digits[1] <= '9' && strings.Trim(digits, "0_") != "" {
		return 0, false
	}
	n, ok := new(big.Int).SetString(strings.ReplaceAll(digits, "_", ""), base)
	if !ok {
		return 0, false
	}
	if sign {
		n.Neg(n)
	}
	overflow(n.IsInt64())
	return int(n.Int64()), true
}

// parseFloat is Python's float of a string.
func parseFloat(s string) (float64, bool) {
	if s = ascii(s); !floatText.MatchString(s) {
		return 0, false
	}
	f, _ := strconv.ParseFloat(strings.ReplaceAll(s, "_", ""), 64)
	return f, true
}

func fileSize(r *run, self Value, a args) Value {
	f, _ := toFloat(r, self, args{bound: []Value{nil}, has: []bool{true}}).(float64)
	if _, isNumber := asFloat(self); !isNumber && f == 0 {
		return fail("filesizeformat wants a number")
	}
	base, suffix := 1000.0, "kMGTPEZY"
	middle := ""
	if a.truth(0, false) {
		base, suffix, middle = 1024, "KMGTPEZY", "i"
	}
	switch {
	case f == 1:
		return "1 Byte"
	case f < base:
		return strconv.Itoa(truncated(f)) + " Bytes"
	}
	unit := base
	for i := range len(suffix) {
		if unit *= base; f < unit || i == len(suffix)-1 {
			return strconv.FormatFloat(base*f/unit, 'f', 1, 64) + " " + suffix[i:i+1] + middle + "B"
		}
	}
	return nil
}
