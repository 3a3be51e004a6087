package jsonmask

import (
	"math"
	"regexp/syntax"
	"unicode"
)

// least is the fewest code points that a match still takes after set s.
func (p *pattern) least(s int32) int {
	set := p.sets[s]
	if set.matched || set.atEnd {
		return 0
	}
	n := math.MaxInt / 2
	for _, pc := range set.pcs {
		n = min(n, p.left[pc])
	}
	return n
}

// takes reports whether some code point in [low, high] may follow set s.
func (p *pattern) takes(s int32, low, high rune) bool {
	set := p.sets[s]
	if set.matched || p.seeks {
		return true // what does not match is searched past
	}
	for _, pc := range set.pcs {
		i := &p.prog.Inst[pc]
		if i.Op == syntax.InstRuneAny || i.Op == syntax.InstRuneAnyNotNL {
			return true
		}
		if len(i.Rune) == 1 && among(i, low, high) {
			return true
		}
		for j := 0; j+1 < len(i.Rune); j += 2 {
			if i.Rune[j] <= high && i.Rune[j+1] >= low {
				return true
			}
		}
	}
	return false
}

// among reports whether the one rune of i, or another case of it where that is
// meant, lies in [low, high].
func among(i *syntax.Inst, low, high rune) bool {
	r := i.Rune[0]
	for {
		if r >= low && r <= high {
			return true
		}
		if r = unicode.SimpleFold(r); syntax.Flags(i.Arg)&syntax.FoldCase == 0 || r == i.Rune[0] {
			return false
		}
	}
}
