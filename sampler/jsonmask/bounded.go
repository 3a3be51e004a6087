package jsonmask

import "math/big"

// maxDigits bounds either side of the point of a bounded number.
const maxDigits = 20

// bounded is numbers in a range, in decimal digits without an exponent. A state
// is the text so far: it lives if some number that begins so lies in the range.
type bounded struct {
	low, high         *big.Rat // nil is no bound
	openLow, openHigh bool     // the bound itself is outside
	whole             bool

	grammar number
	texts   []string
	states  map[string]int32
}

func newBounded(low, high *big.Rat, openLow, openHigh, whole bool) *bounded {
	b := &bounded{low: low, high: high, openLow: openLow, openHigh: openHigh, whole: whole,
		grammar: number{whole}, texts: []string{""}, states: map[string]int32{"": 0}}
	return b
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
		may = x.meets(v, v, true)
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
		return x.meets(nil, new(big.Rat), true)
	}
	point := -1
	for i := range len(digits) {
		if digits[i] == '.' {
			point = i
		}
	}
	if point < 0 && len(digits) > maxDigits || point >= 0 && len(digits)-point-1 > maxDigits {
		return false
	}
	if phase == numPoint {
		digits += "0"
	}
	from, _ := new(big.Rat).SetString(digits)
	// What digits stands for is [from, from+unit), and while digits may follow
	// before the point, ten times that, and so on.
	unit := big.NewRat(1, 1)
	if phase == numFraction {
		unit.SetFrac(big.NewInt(1), new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(len(digits)-point-1)), nil))
	}
	if x.whole && point >= 0 {
		unit.SetInt64(0)
	}
	for k := len(digits); k <= maxDigits; k++ {
		if x.reach(from, unit, negative) {
			return true
		}
		if phase != numDigits {
			break
		}
		ten := big.NewRat(10, 1)
		from, unit = new(big.Rat).Mul(from, ten), new(big.Rat).Mul(unit, ten)
	}
	return false
}

// reach reports whether the range meets [from, from+unit), or its negative; of a
// whole number the last is from+unit-1.
func (x *bounded) reach(from, unit *big.Rat, negative bool) bool {
	to, closed := new(big.Rat).Add(from, unit), unit.Sign() == 0
	if x.whole && !closed {
		to.Sub(to, big.NewRat(1, 1))
		closed = true
	}
	if !negative {
		return x.meets(from, to, closed)
	}
	return x.meetsNegative(to, from, closed)
}

// meets reports whether the range meets [a, b], or [a, b) where b is not closed;
// a nil end is none.
func (x *bounded) meets(a, b *big.Rat, closed bool) bool {
	if x.low != nil && b != nil {
		if c := b.Cmp(x.low); c < 0 || c == 0 && (x.openLow || !closed) {
			return false
		}
	}
	if x.high != nil && a != nil {
		if c := a.Cmp(x.high); c > 0 || c == 0 && x.openHigh {
			return false
		}
	}
	return !x.whole || x.holdsWhole(a, b)
}

// meetsNegative is meets for (-a, -b], closed at -a too where closed is set.
func (x *bounded) meetsNegative(a, b *big.Rat, closed bool) bool {
	low, high := new(big.Rat).Neg(a), new(big.Rat).Neg(b)
	if x.low != nil {
		if c := high.Cmp(x.low); c < 0 || c == 0 && x.openLow {
			return false
		}
	}
	if x.high != nil {
		if c := low.Cmp(x.high); c > 0 || c == 0 && (x.openHigh || !closed) {
			return false
		}
	}
	return !x.whole || x.holdsWhole(low, high)
}

// holdsWhole reports whether an integer lies in the range and in [a, b].
func (x *bounded) holdsWhole(a, b *big.Rat) bool {
	if x.low != nil && (a == nil || a.Cmp(x.low) < 0) {
		a = ceil(x.low, x.openLow)
	}
	if x.high != nil && (b == nil || b.Cmp(x.high) > 0) {
		b = floor(x.high, x.openHigh)
	} else if b != nil {
		b = floor(b, false)
	}
	return a == nil || b == nil || ceil(a, false).Cmp(b) <= 0
}

// ceil returns the least integer at or, if open, above r.
func ceil(r *big.Rat, open bool) *big.Rat {
	return new(big.Rat).Neg(floor(new(big.Rat).Neg(r), open))
}

// floor returns the greatest integer at or, if open, below r.
func floor(r *big.Rat, open bool) *big.Rat {
	q := new(big.Int).Div(r.Num(), r.Denom()) // Euclidean, and the denominator is positive
	if open && r.IsInt() {
		q.Sub(q, big.NewInt(1))
	}
	return new(big.Rat).SetInt(q)
}
