package jsonmask

import "math/big"

// maxDigits bounds either side of the point of a bounded number.
const maxDigits = 20

// bounded is numbers in a range that are multiples of a step, in decimal digits
// without an exponent. A state is the text so far: it lives if such a number begins
// so.
type bounded struct {
	span
	step   *big.Rat // above 0; nil is no step
	kind   int      // of typeNumber: integers, those that are none, or both
	digits int      // on either side of the point at most

	grammar number
	texts   []string
	states  map[string]int32
}

// newBounded returns the numbers of a range and a kind that are multiples of step.
func newBounded(in span, step *big.Rat, kind int) *bounded {
	switch {
	case kind == typeInteger && step == nil:
		step = big.NewRat(1, 1)
	case kind == typeInteger: // k*a/b is an integer where b, which has no factor of a, divides k
		step = new(big.Rat).SetInt(step.Num())
	}
	return &bounded{span: in, step: step, kind: kind, digits: maxDigits, grammar: number{whole: kind == typeInteger}, texts: []string{""}, states: map[string]int32{"": 0}}
}

// possible reports whether there is such a number within its digits.
func (x *bounded) possible() bool {
	end := new(big.Rat).SetInt(new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(x.digits)), nil))
	return x.meets(span{new(big.Rat).Neg(end), end, true, true}) && (x.kind != typeFraction || x.step == nil)
}

func (x *bounded) next(s int32, b byte) (int32, bool) {
	if b|' ' == 'e' {
		return 0, false
	}
	text := x.texts[s] + string(rune(b))
	if to, ok := x.states[text]; ok {
		return to, to >= 0
	}
	to := int32(-1)
	if x.live(text) {
		to = int32(len(x.texts))
		x.texts = append(x.texts, text)
	}
	x.states[text] = to
	return to, to >= 0
}

func (x *bounded) end(s int32) (may, more bool) {
	text := x.texts[s]
	may, more = x.grammar.end(x.phase(text))
	if may {
		v, _ := new(big.Rat).SetString(text)
		may = x.meets(span{low: v, high: v})
	}
	return may, more
}

func (*bounded) bytes(int32) byteSet { return numberBytes }

// phase is the state of the grammar after text, -1 where it is none.
func (x *bounded) phase(text string) int32 {
	s := int32(0)
	for i := range len(text) {
		var ok bool
		if s, ok = x.grammar.next(s, text[i]); !ok {
			return -1
		}
	}
	return s
}

// live reports whether a number in the range begins with text.
func (x *bounded) live(text string) bool {
	phase, digits := x.phase(text), text
	if phase < 0 {
		return false
	}
	negative := text[0] == '-'
	if negative {
		digits = text[1:]
	}
	if digits == "" {
		return x.meets(span{high: new(big.Rat)})
	}
	point := -1
	for i := range len(digits) {
		if digits[i] == '.' {
			point = i
		}
	}
	if point < 0 && len(digits) > x.digits || point >= 0 && len(digits)-point-1 > x.digits {
		return false
	}
	if phase == numPoint {
		digits += "0"
	}
	from, _ := new(big.Rat).SetString(digits)
	// What digits stands for is [from, from+unit), and while digits may follow
	// before the point, ten times that, and so on.
	unit := big.NewRat(1, 1)
	if phase == numFraction && len(digits)-point-1 == x.digits {
		return x.meets(number1(from, negative))
	} else if phase == numFraction {
		unit.SetFrac(big.NewInt(1), new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(len(digits)-point-1)), nil))
	}
	for k := len(digits); ; k++ {
		to := new(big.Rat).Add(from, unit)
		if !negative && x.meets(span{low: from, high: to, openHigh: true}) ||
			negative && x.meets(span{low: to.Neg(to), high: new(big.Rat).Neg(from), openLow: true}) {
			return true
		}
		if phase != numDigits || k >= x.digits {
			return false
		}
		ten := big.NewRat(10, 1)
		from, unit = new(big.Rat).Mul(from, ten), new(big.Rat).Mul(unit, ten)
	}
}

// meets reports whether a number of x lies in a range.
func (x *bounded) meets(in span) bool {
	in = x.and(in)
	if one := in.low != nil && in.high != nil && in.low.Cmp(in.high) == 0; one && x.kind == typeFraction && in.low.IsInt() {
		return false
	}
	return in.holds(x.step)
}

// number1 is the range of one number.
func number1(n *big.Rat, negative bool) span {
	if negative {
		n = new(big.Rat).Neg(n)
	}
	return span{low: n, high: n}
}
