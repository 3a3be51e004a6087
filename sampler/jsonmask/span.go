package jsonmask

import "math/big"

// A span is a range of numbers.
type span struct {
	low, high         *big.Rat // nil is no bound
	openLow, openHigh bool     // the bound itself is outside
}

// and returns what lies in both.
func (s span) and(t span) span {
	if t.low != nil && (s.low == nil || t.low.Cmp(s.low) > 0 || t.low.Cmp(s.low) == 0 && t.openLow) {
		s.low, s.openLow = t.low, t.openLow
	}
	if t.high != nil && (s.high == nil || t.high.Cmp(s.high) < 0 || t.high.Cmp(s.high) == 0 && t.openHigh) {
		s.high, s.openHigh = t.high, t.openHigh
	}
	return s
}

// holds reports whether a multiple of step lies in s; of no step, any number.
func (s span) holds(step *big.Rat) bool {
	if s.low == nil || s.high == nil {
		return true
	}
	least, open := s.low, s.openLow
	if step != nil {
		least, open = atLeast(s.low, s.openLow, step), false
	}
	c := least.Cmp(s.high)
	return c < 0 || c == 0 && !open && !s.openHigh
}

// atLeast returns the least multiple of step at or, if open, above r.
func atLeast(r *big.Rat, open bool, step *big.Rat) *big.Rat {
	q := new(big.Rat).Quo(r, step)
	n := new(big.Int).Div(q.Num(), q.Denom()) // the floor, as the denominator is positive
	if open || !q.IsInt() {
		n.Add(n, big.NewInt(1))
	}
	return q.Mul(new(big.Rat).SetInt(n), step)
}

// lcm returns the least common multiple of steps, of which nil divides all.
func lcm(a, b *big.Rat) *big.Rat {
	if a == nil || b == nil {
		if a == nil {
			return b
		}
		return a
	}
	// Of fractions in lowest terms: lcm of the numerators over gcd of the denominators.
	num := new(big.Int).Mul(a.Num(), b.Num())
	num.Div(num, new(big.Int).GCD(nil, nil, a.Num(), b.Num()))
	return new(big.Rat).SetFrac(num, new(big.Int).GCD(nil, nil, a.Denom(), b.Denom()))
}
