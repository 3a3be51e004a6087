package jinja

import (
	"math"
	"math/big"
	"strconv"
)

func round(r *run, self Value, a args) Value {
	must(self)
	method, _ := asText(a.or(1, "common"))
	if method == "common" && a.has[0] && a.bound[0] == nil {
		return toInt(r, roundNumber(self, 0), args{bound: make([]Value, 2), has: make([]bool, 2)})
	}
	if method == "common" {
		return roundNumber(self, a.int(0, 0))
	}
	to := map[string]func(float64) float64{"ceil": math.Ceil, "floor": math.Floor}[method]
	f, ok := asFloat(self)
	if to == nil || !ok {
		return fail("round wants a number, and common, ceil or floor")
	}
	scale, _ := asFloat(r.operate("**", 10, a.or(0, 0)))
	if f = to(f * scale); f != f || math.IsInf(f, 0) {
		return fail("round of what is not finite")
	}
	return floats("/", f, scale)
}

func roundNumber(v Value, digits int) Value {
	if i, ok := asInt(v); ok {
		return roundInt(i, digits)
	}
	if f, ok := v.(float64); ok {
		return roundFloat(f, digits)
	}
	return fail("round of a %s", typeName(v))
}

func roundInt(i, digits int) Value {
	if digits >= 0 {
		return i
	}
	if digits < -18 {
		return 0
	}
	unit := power(10, -digits).(int)
	half, low := unit/2, floorDiv(i, unit)
	if rest := i - low*unit; rest > half || rest == half && low%2 != 0 {
		low++
	}
	return times(low, unit)
}

// roundFloat rounds the exact value, halves to even.
func roundFloat(f float64, digits int) Value {
	if digits > 330 || f != f || math.IsInf(f, 0) {
		return f
	}
	if digits >= 0 {
		rounded, _ := strconv.ParseFloat(strconv.FormatFloat(f, 'f', digits, 64), 64)
		return rounded
	}
	if digits < -308 {
		return math.Copysign(0, f)
	}
	unit := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(-digits)), nil)
	whole, accuracy := big.NewFloat(math.Abs(f)).Int(nil)
	low, rest := new(big.Int).QuoRem(whole, unit, new(big.Int))
	c := rest.Lsh(rest, 1).Cmp(unit)
	if c > 0 || c == 0 && (accuracy != big.Exact || low.Bit(0) == 1) {
		low.Add(low, big.NewInt(1))
	}
	rounded, _ := new(big.Float).SetInt(low.Mul(low, unit)).Float64()
	return math.Copysign(rounded, f)
}
