package jinja

import (
	"math"
	"math/big"
	"math/bits"
)

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
	p := pow(a, b)
	if math.IsInf(p, 0) && !math.IsInf(a, 0) && !math.IsInf(b, 0) {
		return fail("a number too large for a float")
	}
	return p
}

// pow is a to the power of b, rounded once where b is a whole number of some size: Go's
// own is off by a unit in the last place now and then, where C's is not.
func pow(a, b float64) float64 {
	p := math.Pow(a, b)
	if b != math.Trunc(b) || math.Abs(b) > 1<<16 || p == 0 || p-p != 0 {
		return p
	}
	exact := func(f float64) *big.Float { return new(big.Float).SetPrec(256).SetFloat64(f) }
	product, square := exact(1), exact(a)
	for n := int(math.Abs(b)); n > 0; n >>= 1 {
		if n&1 == 1 {
			product.Mul(product, square)
		}
		square.Mul(square, square)
	}
	if b < 0 {
		product.Quo(exact(1), product)
	}
	rounded, _ := product.Float64()
	return rounded
}
