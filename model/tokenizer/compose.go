package tokenizer

import (
	"slices"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// x/text writes U+034F where some thirty characters in a row modify the one before
// (the Stream-Safe Text Format), which no tokenizer does. Text with a run of
// longRun goes the long way here; it also counts Hangul vowels, as x/text does, and
// leaves room for characters that decompose to several.
const longRun = 8

func streamSafe(s string) bool {
	run := 0
	for i := 0; i < len(s); {
		if s[i] < utf8.RuneSelf {
			run, i = 0, i+1
			continue
		}
		p := norm.NFKC.PropertiesString(s[i:])
		if run++; p.BoundaryBefore() {
			run = 0
		}
		if run >= longRun {
			return false
		}
		i += max(p.Size(), 1)
	}
	return true
}

// normalizeLong is Unicode Standard Annex 15 by its definition: decompose, order,
// compose, with x/text for single characters and pairs.
func normalizeLong(f norm.Form, s string) string {
	decompose, compose := norm.NFD, f == norm.NFC || f == norm.NFKC
	if f == norm.NFKC || f == norm.NFKD {
		decompose = norm.NFKD
	}
	var rs []rune
	for _, r := range s {
		rs = append(rs, []rune(decompose.String(string(r)))...)
	}
	for from := 0; from < len(rs); {
		to := from
		for to < len(rs) && class(rs[to]) != 0 {
			to++
		}
		slices.SortStableFunc(rs[from:to], func(a, b rune) int { return int(class(a)) - int(class(b)) })
		from = to + 1
	}
	if compose {
		rs = composeRunes(rs)
	}
	return string(rs)
}

func composeRunes(rs []rune) []rune {
	out := rs[:0]
	starter := -1
	last := uint8(0) // class of the last character kept after the starter
	for _, r := range rs {
		c := class(r)
		adjacent := starter == len(out)-1
		if starter >= 0 && (adjacent || last != 0 && last < c) {
			if one, ok := composed(out[starter], r); ok {
				out[starter] = one
				continue
			}
		}
		out = append(out, r)
		last = c
		if c == 0 {
			starter = len(out) - 1
		}
	}
	return out
}

func composed(a, b rune) (rune, bool) {
	s := norm.NFC.String(string([]rune{a, b}))
	r, n := utf8.DecodeRuneInString(s)
	return r, n == len(s)
}

func class(r rune) uint8 { return norm.NFD.PropertiesString(string(r)).CCC() }
