package jsonmask

import (
	"slices"
	"unicode"
)

// A runeSet is code points as ranges in order that neither meet nor touch: first,
// last, first, last.
type runeSet []rune

var (
	digitRunes = runeSet{'0', '9'}
	wordRunes  = runeSet{'0', '9', 'A', 'Z', '_', '_', 'a', 'z'}
	// spaceRunes are ECMA-262's white space and line ends.
	spaceRunes = runeSet{'\t', '\r', ' ', ' ', 0xa0, 0xa0, 0x1680, 0x1680, 0x2000, 0x200a, 0x2028, 0x2029, 0x202f, 0x202f,
		0x205f, 0x205f, 0x3000, 0x3000, 0xfeff, 0xfeff}
	lineEnds = runeSet{'\n', '\n', '\r', '\r', 0x2028, 0x2029}
)

// has reports whether r is in s.
func (s runeSet) has(r rune) bool {
	low, high := 0, len(s)/2
	for low < high {
		mid := (low + high) / 2
		switch {
		case r < s[2*mid]:
			high = mid
		case r > s[2*mid+1]:
			low = mid + 1
		default:
			return true
		}
	}
	return false
}

// union returns what is in one of sets.
func unionOf(sets ...runeSet) runeSet {
	type span struct{ low, high rune }
	var spans []span
	for _, s := range sets {
		for i := 0; i+1 < len(s); i += 2 {
			spans = append(spans, span{s[i], s[i+1]})
		}
	}
	slices.SortFunc(spans, func(a, b span) int { return int(a.low) - int(b.low) })
	var out runeSet
	for _, s := range spans {
		if n := len(out); n > 0 && s.low <= out[n-1]+1 {
			out[n-1] = max(out[n-1], s.high)
			continue
		}
		out = append(out, s.low, s.high)
	}
	return out
}

// not returns the code points that s lacks.
func (s runeSet) not() runeSet {
	var out runeSet
	from := rune(0)
	for i := 0; i+1 < len(s); i += 2 {
		if s[i] > from {
			out = append(out, from, s[i]-1)
		}
		from = s[i+1] + 1
	}
	if from <= unicode.MaxRune {
		out = append(out, from, unicode.MaxRune)
	}
	return out
}

// less returns what of s is not in t.
func (s runeSet) less(t runeSet) runeSet { return unionOf(s.not(), t).not() }

// runesOf returns the code points of a table.
func runesOf(tables ...*unicode.RangeTable) runeSet {
	var all runeSet
	add := func(low, high, stride rune) {
		if stride == 1 {
			all = append(all, low, high)
			return
		}
		for r := low; r <= high; r += stride {
			all = append(all, r, r)
		}
	}
	for _, t := range tables {
		for _, r := range t.R16 {
			add(rune(r.Lo), rune(r.Hi), rune(r.Stride))
		}
		for _, r := range t.R32 {
			add(rune(r.Lo), rune(r.Hi), rune(r.Stride))
		}
	}
	return unionOf(all)
}
