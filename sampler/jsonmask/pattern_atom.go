package jsonmask

import (
	"errors"
	"fmt"
	"unicode"
)

// atom reads an assertion, a group, or what takes one code point.
func (p *patternParser) atom() (*patternNode, error) {
	switch r := p.peek(); r {
	case '^':
		p.at++
		return &patternNode{op: opBegin}, nil
	case '$':
		p.at++
		return &patternNode{op: opEnd}, nil
	case '(':
		p.at++
		return p.group()
	case '.':
		p.at++
		return &patternNode{runes: lineEnds.not()}, nil
	case '[':
		p.at++
		return p.class()
	case '\\':
		p.at++
		return p.escapedAtom()
	case '*', '+', '?':
		return nil, fmt.Errorf("%c with nothing before it to repeat", r)
	case '{', '}', ']':
		return nil, fmt.Errorf("a lone %c, want it after a backslash", r)
	default:
		p.at++
		return one(r), nil
	}
}

func one(r rune) *patternNode { return &patternNode{runes: runeSet{r, r}} }

// group is what follows a parenthesis.
func (p *patternParser) group() (*patternNode, error) {
	n := &patternNode{op: opAll}
	switch {
	case p.next("?:"):
	case p.next("?="):
		n.op = opAhead
	case p.next("?!"):
		n.op, n.negated = opAhead, true
	case p.next("?<="):
		n.op = opBehind
	case p.next("?<!"):
		n.op, n.negated = opBehind, true
	case p.next("?<"):
		if err := p.groupName(); err != nil {
			return nil, err
		}
	case p.peek() == '?':
		return nil, errors.New("(? that is none of (?: (?= (?! (?<= (?<! and (?<name>")
	}
	body, err := p.either()
	if err != nil {
		return nil, err
	}
	if !p.next(")") {
		return nil, errors.New("a ( without its )")
	}
	n.parts = []*patternNode{body}
	return n, nil
}

// groupName reads a name and its >.
func (p *patternParser) groupName() error {
	var name []rune
	for !p.next(">") {
		r := p.peek()
		if p.at++; r == '\\' {
			if !p.next("u") {
				return errors.New("a backslash in a group's name that no u follows")
			}
			var err error
			if r, err = p.unicodeEscape(); err != nil {
				return err
			}
		}
		if p.at > len(p.src) || !nameRune(r, len(name) == 0) {
			return errors.New("a group's name that is no identifier, or does not end in >")
		}
		name = append(name, r)
	}
	switch {
	case len(name) == 0:
		return errors.New("a group whose name is empty")
	case p.groups[string(name)]:
		return fmt.Errorf("two groups of the name %s", string(name))
	}
	if p.groups == nil {
		p.groups = map[string]bool{}
	}
	p.groups[string(name)] = true
	return nil
}

func nameRune(r rune, first bool) bool {
	if r == '$' || r == '_' || unicode.IsLetter(r) || unicode.In(r, unicode.Nl, unicode.Other_ID_Start) {
		return true
	}
	return !first && (unicode.In(r, unicode.Mn, unicode.Mc, unicode.Nd, unicode.Pc, unicode.Other_ID_Continue) || r == 0x200c || r == 0x200d)
}
