package jsonmask

import (
	"errors"
	"fmt"
	"strings"
	"unicode"
)

// escapedAtom is what follows a backslash outside a class.
func (p *patternParser) escapedAtom() (*patternNode, error) {
	switch r := p.peek(); {
	case r == 'b' || r == 'B':
		p.at++
		return &patternNode{op: opBoundary, negated: r == 'B'}, nil
	case r == 'k' || r >= '1' && r <= '9':
		return nil, fmt.Errorf(`the back reference \%c, which no automaton follows`, r)
	}
	set, r, err := p.escape()
	if err != nil {
		return nil, err
	}
	if set == nil {
		return one(r), nil
	}
	return &patternNode{runes: set}, nil
}

// escape is what follows a backslash, within a class or not: a set that is not nil,
// or one code point.
func (p *patternParser) escape() (runeSet, rune, error) {
	if p.at == len(p.src) {
		return nil, 0, errors.New("a backslash at the end")
	}
	r := p.src[p.at]
	p.at++
	if set := classEscape(r); set != nil {
		return set, 0, nil
	}
	if i := strings.IndexRune("fnrtv", r); i >= 0 {
		return nil, rune("\f\n\r\t\v"[i]), nil
	}
	switch r {
	case 'p', 'P':
		p.flagged = `\` + string(r)
		set, err := p.property(r == 'P')
		return set, 0, err
	case 'u':
		r, err := p.unicodeEscape()
		return nil, r, err
	case 'x':
		r, ok := p.hex(2)
		if !ok {
			return nil, 0, errors.New(`\x without two hexadecimal digits`)
		}
		return nil, r, nil
	case 'c':
		letter := p.peek() | ' '
		if letter < 'a' || letter > 'z' || p.peek() > 'z' {
			return nil, 0, errors.New(`\c without a letter of A to Z`)
		}
		p.at++
		return nil, letter & 0x1f, nil
	case '0':
		if d := p.peek(); d >= '0' && d <= '9' {
			return nil, 0, errors.New(`an octal escape, want \0, \xHH or \uHHHH`)
		}
		return nil, 0, nil
	}
	// Of the rest the flag u leaves syntax characters. Other punctuation reads as itself
	// without the flag, and many schemas escape it.
	if r >= ' ' && r < 0x7f && (r == '_' || !wordRunes.has(r)) {
		if !strings.ContainsRune(`^$\.*+?()[]{}|/`, r) {
			p.plain = `\` + string(r)
		}
		return nil, r, nil
	}
	return nil, 0, fmt.Errorf(`the escape \%c, which ECMA-262 has not`, r)
}

// classEscape is the set of \d, \s, \w and their complements, nil of others.
func classEscape(r rune) runeSet {
	switch r {
	case 'd':
		return digitRunes
	case 'D':
		return digitRunes.not()
	case 's':
		return spaceRunes
	case 'S':
		return spaceRunes.not()
	case 'w':
		return wordRunes
	case 'W':
		return wordRunes.not()
	}
	return nil
}

// hex reads n hexadecimal digits.
func (p *patternParser) hex(n int) (rune, bool) {
	if p.at+n > len(p.src) {
		return 0, false
	}
	value := rune(0)
	for _, c := range p.src[p.at : p.at+n] {
		if c >= 0x80 {
			return 0, false
		}
		d, ok := hexValue(byte(c))
		if !ok {
			return 0, false
		}
		value = value<<4 | d
	}
	p.at += n
	return value, true
}

// unicodeEscape is what follows \u: four digits, twice where they are a pair of
// surrogates, or any number within braces.
func (p *patternParser) unicodeEscape() (rune, error) {
	if p.next("{") {
		p.flagged = `\u{`
		value, from := rune(0), p.at
		for !p.next("}") {
			d, ok := p.hex(1)
			if value = value<<4 | d; !ok || value > unicode.MaxRune {
				return 0, errors.New(`\u{ without hexadecimal digits up to 10FFFF and a }`)
			}
		}
		if p.at == from+1 {
			return 0, errors.New(`\u{} without digits`)
		}
		return value, nil
	}
	high, ok := p.hex(4)
	if !ok {
		return 0, errors.New(`\u without four hexadecimal digits`)
	}
	if from := p.at; high >= 0xd800 && high < 0xdc00 && p.next(`\u`) {
		if low, ok := p.hex(4); ok && low >= 0xdc00 && low < 0xe000 {
			return 0x10000 + (high-0xd800)<<10 + low - 0xdc00, nil
		}
		p.at = from
	}
	return high, nil
}
