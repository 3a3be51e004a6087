package jinja

import (
	"math"
	"math/bits"
)

// operate is Python's a op b for the arithmetic operators.
func (r *run) operate(op string, a, b Value) Value {
	r.step(1)
	if u, ok := a.(*undefined); ok {
		return fail("%s", u.why)
	}
	if s, ok := asText(a); ok && op == "%" {
		_, safe := a.(markup)
		return textLike(safe, r.percent(s, b, safe))
	}
	must(b)
	if i, ok := asInt(a); ok {
		if j, ok := asInt(b); ok {
			return integers(op, i, j)
		}
	}
	if x, ok := asFloat(a); ok {
		if y, ok := asFloat(b); ok {
			return floats(op, x, y)
		}
	}
	switch op {
	case "+":
		if v, ok := r.joined(a, b); ok {
			return v
		}
	case "*":
		if n, ok := asInt(b); ok {
			if v, ok := r.repeated(a, n); ok {
				return v
			}
		}
		if n, ok := asInt(a); ok {
			if v, ok := r.repeated(b, n); ok {
				return v
			}
		}
	}
	return fail("unsupported operand types for %s: %s and %s", op, typeName(a), typeName(b))
}

func overflow(ok bool) {
	if !ok {
		fail("a number beyond 64 bits")
	}
}

func integers(op string, a, b int) Value {
	if b == 0 && (op == "/" || op == "//" || op == "%") {
		return fail("division by zero")
	}
	switch op {
	case "+":
		overflow((b > 0) == (a+b > a) || b == 0)
		return a + b
	case "-":
		overflow((b > 0) == (a-b < a) || b == 0)
		return a - b
	case "*":
		return times(a, b)
	case "/":
		return float64(a) / float64(b)
	case "//":
		overflow(b != -1 || a != math.MinInt)
		return floorDiv(a, b)
	case "%":
		if b == -1 {
			return 0
		}
		return a - floorDiv(a, b)*b
	}
	return power(a, b)
}

func times(a, b int) int {
	high, low := bits.Mul64(uint64(max(a, -a)), uint64(max(b, -b)))
	overflow(high == 0 && low < 1<<63 && a != math.MinInt && b != math.MinInt)
	return a * b
}

func floorDiv(a, b int) int {
	q := a / b
	if a%b != 0 && (a < 0) != (b < 0) {
		q--
	}
	return q
}

func power(a, b int) Value {
	if b < 0 {
		return floats("**", float64(a), float64(b))
	}
	if a == 0 || a == 1 || a == -1 {
		return [3]int{b%2*-2 + 1, map[bool]int{true: 1}[b == 0], 1}[a+1]
	}
	p := 1
	for range b {
		p = times(p, a)
	}
	return p
}

func floats(op string, a, b float64) Value {
	if b == 0 && (op == "/" || op == "//" || op == "%") {
		return fail("float division by zero")
	}
	switch op {
	case "+":
		return a + b
	case "-":
		return a - b
	case "*":
		return a * b
	case "/":
		return a / b
	case "//":
		return floatFloor(a, b)
	case "%":
		return floatMod(a, b)
	}
	return floatPower(a, b)
}

func floatMod(a, b float64) float64 {
	m := math.Mod(a, b)
	switch {
	case m == 0:
		return math.Copysign(0, b)
	case (b < 0) != (m < 0):
		return m + b
	}
	return m
}

// floatFloor is Python's a // b, which is made from the remainder.
func floatFloor(a, b float64) float64 {
	m := math.Mod(a, b)
	d := (a - m) / b
	if m != 0 && (b < 0) != (m < 0) {
		d--
	}
	if d == 0 {
		return math.Copysign(0, a/b)
	}
	f := math.Floor(d)
	if d-f > .5 {
		f++
	}
	return f
}

func floatPower(a, b float64) Value {
	switch {
	case a == 0 && b < 0:
		return fail("0.0 cannot be raised to a negative power")
	case a < 0 && b != math.Trunc(b) && !math.IsInf(b, 0) && !math.IsInf(a, 0):
		return fail("complex numbers are not supported")
	}
	p := math.Pow(a, b)
	if math.IsInf(p, 0) && !math.IsInf(a, 0) && !math.IsInf(b, 0) {
		return fail("a number too large for a float")
	}
	return p
}

func textLike(safe bool, s string) Value {
	if safe {
		return markup(s)
	}
	return s
}

// joined is a + b of two texts, lists or tuples.
func (r *run) joined(a, b Value) (Value, bool) {
	if s, ok := asText(a); ok {
		t, ok := asText(b)
		_, safeA := a.(markup)
		_, safeB := b.(markup)
		if safeA != safeB {
			s, t = escaped(a, s), escaped(b, t)
		}
		return textLike(safeA || safeB, r.text(s+t)), ok
	}
	if x, ok := a.(*List); ok {
		if y, ok := b.(*List); ok {
			r.grow(len(x.Items) + len(y.Items))
			return &List{append(x.Items[:len(x.Items):len(x.Items)], y.Items...)}, true
		}
	}
	if x, y := asTuple(a), asTuple(b); x != nil && y != nil {
		r.grow(len(x) + len(y))
		return append(x[:len(x):len(x)], y...), true
	}
	return nil, false
}

// repeated is v * n of a text, a list or a tuple.
func (r *run) repeated(v Value, n int) (Value, bool) {
	many := func(items []Value) []Value {
		var all []Value
		for i := 0; i < n && len(items) > 0; i++ {
			r.grow(len(items))
			all = append(all, items...)
		}
		return all
	}
	switch v := v.(type) {
	case string:
		return repeat(r, v, n), true
	case markup:
		return markup(repeat(r, string(v), n)), true
	case *List:
		return &List{many(v.Items)}, true
	case Tuple:
		return Tuple(many(v)), true
	case *grouped:
		return Tuple(many(v.tuple())), true
	}
	return nil, false
}
