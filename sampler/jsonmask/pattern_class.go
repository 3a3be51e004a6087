package jsonmask

import (
	"errors"
	"fmt"
)

// class is what follows a [.
func (p *patternParser) class() (*patternNode, error) {
	start, negated := p.at, p.next("^")
	var sets []runeSet
	for !p.next("]") {
		from := p.at
		set, low, err := p.classAtom()
		if err != nil {
			return nil, err
		}
		high := low
		if p.peek() == '-' && p.at+1 < len(p.src) && p.src[p.at+1] != ']' {
			p.at++
			var second runeSet
			if second, high, err = p.classAtom(); err != nil {
				return nil, err
			}
			if set != nil || second != nil || high < low {
				return nil, fmt.Errorf("the range %s, want two characters in order", string(p.src[from:p.at]))
			}
		}
		if set == nil {
			set = runeSet{low, high}
		}
		sets = append(sets, set)
	}
	return &patternNode{runes: p.known(string(p.src[start-1:p.at]), func() runeSet {
		all := unionOf(sets...)
		if negated {
			all = all.not()
		}
		return all
	})}, nil
}

// classAtom is a set that is not nil, or one code point.
func (p *patternParser) classAtom() (runeSet, rune, error) {
	if p.at == len(p.src) {
		return nil, 0, errors.New("a [ without its ]")
	}
	r := p.src[p.at]
	if p.at++; r != '\\' {
		return nil, r, nil
	}
	if p.next("b") {
		return nil, '\b', nil
	}
	if p.next("-") {
		return nil, '-', nil
	}
	return p.escape()
}
