package experiments

import (
	"math"
	"reflect"
	"regexp"
	"strconv"
	"strings"
)

// decimal is a number as people write it: no leading zero, which elsewhere means base 8.
var decimal = regexp.MustCompile(`^[-+]?(\.[0-9]+|(0|[1-9][0-9]*)(\.[0-9]*)?)([eE][-+]?[0-9]+)?$`)

// infinities are YAML's, and those of a run's header, as JSON has none.
var infinities = map[string]float64{".inf": math.Inf(1), "+.inf": math.Inf(1), "-.inf": math.Inf(-1), "+inf": math.Inf(1), "-inf": math.Inf(-1), ".nan": math.NaN()}

// setNumber sets a number from its text, and reports whether v can hold it exactly, or as
// the nearest float.
func setNumber(text string, v reflect.Value) bool {
	if x, ok := infinities[strings.ToLower(text)]; ok && v.CanFloat() {
		v.SetFloat(x)
		return true
	}
	if !decimal.MatchString(text) {
		return false
	}
	switch {
	case v.CanFloat():
		x, err := strconv.ParseFloat(text, v.Type().Bits())
		if err != nil || x == 0 && strings.Trim(mantissa(text), "-+0.") != "" { // too large, or lost
			return false
		}
		v.SetFloat(x)
	case v.CanInt():
		n, err := strconv.ParseInt(whole(text), 10, v.Type().Bits())
		if err != nil {
			return false
		}
		v.SetInt(n)
	case v.CanUint():
		n, err := strconv.ParseUint(strings.TrimPrefix(whole(text), "+"), 10, v.Type().Bits())
		if err != nil {
			return false
		}
		v.SetUint(n)
	default:
		return false
	}
	return true
}

// mantissa is a number without its exponent.
func mantissa(text string) string { return text[:len(text)-len(exponent(text))] }

func exponent(text string) string {
	if i := strings.IndexAny(text, "eE"); i >= 0 {
		return text[i:]
	}
	return ""
}

// whole writes 1e9 and 2.50e2 as digits. What is no whole number stays as it is.
func whole(text string) string {
	e := exponent(text)
	if e == "" && !strings.Contains(text, ".") {
		return text
	}
	n := 0
	if e != "" {
		var err error
		if n, err = strconv.Atoi(e[1:]); err != nil || n > 30 || n < -30 {
			return text
		}
	}
	before, after, _ := strings.Cut(mantissa(text), ".")
	after = strings.TrimRight(after, "0")
	if n < len(after) {
		return text
	}
	return before + after + strings.Repeat("0", n-len(after))
}
