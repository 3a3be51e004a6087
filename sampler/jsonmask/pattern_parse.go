package jsonmask

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
)

// A patternNode is a part of a regular expression.
type patternNode struct {
	op        patternOp
	runes     runeSet // of opRunes
	parts     []*patternNode
	low, high int  // of opRepeat; high below 0 is no bound
	negated   bool // of opAhead, opBehind and opBoundary
}

type patternOp uint8

const (
	opRunes  patternOp = iota // one code point of runes
	opAll                     // parts, one after the other
	opOne                     // one of parts
	opRepeat                  // parts[0]
	opBegin
	opEnd
	opBoundary
	opAhead  // parts[0] begins here
	opBehind // parts[0] ends here
)

// maxNesting bounds groups within groups.
const maxNesting = 200

// A patternParser reads the regular expressions of ECMA-262 (section 22.2.1, with the
// flag u), but for back references.
type patternParser struct {
	src    []rune
	at     int
	depth  int
	groups map[string]bool
	sets   map[string]runeSet // of classes and properties met before

	plain   string // an escape that is none with the flag u
	flagged string // one that reads otherwise without
}

// parsePattern returns expr as a tree.
func parsePattern(expr string) (*patternNode, error) {
	p := &patternParser{src: []rune(expr), sets: map[string]runeSet{}}
	n, err := p.either()
	if err == nil && p.at < len(p.src) {
		err = errors.New("a ) that no ( opens")
	}
	if err != nil {
		return nil, fmt.Errorf("at character %d: %w", p.at+1, err)
	}
	if p.plain != "" && p.flagged != "" {
		return nil, fmt.Errorf("%s, which the flag u has not, beside %s, which needs it: want %s without its backslash", p.plain, p.flagged, p.plain)
	}
	return n, nil
}

// known returns the set that make returns for a text, made once.
func (p *patternParser) known(text string, make func() runeSet) runeSet {
	set, ok := p.sets[text]
	if !ok {
		set = make()
		p.sets[text] = set
	}
	return set
}

// next reports whether what follows is text, and passes it.
func (p *patternParser) next(text string) bool {
	for i, r := range []rune(text) {
		if p.at+i >= len(p.src) || p.src[p.at+i] != r {
			return false
		}
	}
	p.at += len([]rune(text))
	return true
}

func (p *patternParser) peek() rune {
	if p.at < len(p.src) {
		return p.src[p.at]
	}
	return -1
}

func (p *patternParser) either() (*patternNode, error) {
	if p.depth++; p.depth > maxNesting {
		return nil, fmt.Errorf("more than %d groups within each other", maxNesting)
	}
	defer func() { p.depth-- }()
	n := &patternNode{op: opOne}
	for {
		part, err := p.sequence()
		if err != nil {
			return nil, err
		}
		if n.parts = append(n.parts, part); !p.next("|") {
			break
		}
	}
	if len(n.parts) == 1 {
		return n.parts[0], nil
	}
	return n, nil
}

func (p *patternParser) sequence() (*patternNode, error) {
	n := &patternNode{op: opAll}
	for p.at < len(p.src) && p.peek() != '|' && p.peek() != ')' {
		part, err := p.term()
		if err != nil {
			return nil, err
		}
		n.parts = append(n.parts, part)
	}
	return n, nil
}

// term is an assertion, or an atom and how often it may come.
func (p *patternParser) term() (*patternNode, error) {
	from := p.at
	n, err := p.atom()
	if err != nil {
		return nil, err
	}
	low, high, ok, err := p.quantifier()
	switch {
	case err != nil || !ok:
		return n, err
	case n.op >= opBegin:
		return nil, fmt.Errorf("a quantifier after the assertion %s, want it after what takes characters", string(p.src[from:p.at]))
	}
	p.next("?") // the laziest match is a match
	return &patternNode{op: opRepeat, parts: []*patternNode{n}, low: low, high: high}, nil
}

// quantifier reads one where one is.
func (p *patternParser) quantifier() (low, high int, ok bool, err error) {
	switch {
	case p.next("*"):
		return 0, -1, true, nil
	case p.next("+"):
		return 1, -1, true, nil
	case p.next("?"):
		return 0, 1, true, nil
	case !p.next("{"):
		return 0, 0, false, nil
	}
	end := p.at
	for end < len(p.src) && p.src[end] != '}' {
		end++
	}
	if end == len(p.src) {
		return 0, 0, false, errors.New("a { without its }")
	}
	text := string(p.src[p.at:end])
	first, second, two := strings.Cut(text, ",")
	low, ok = repeats(first)
	switch high = low; {
	case ok && two && second == "":
		high = -1
	case ok && two:
		high, ok = repeats(second)
	}
	if !ok || high >= 0 && high < low {
		return 0, 0, false, fmt.Errorf("{%s}, want {n}, {n,} or {n,m} with n at most m", text)
	}
	p.at = end + 1
	return low, high, true, nil
}

// repeats reads digits; more than any program has room for are a great number.
func repeats(digits string) (int, bool) {
	if strings.Trim(digits, "0123456789") != "" || digits == "" {
		return 0, false
	}
	n, err := strconv.ParseInt(digits, 10, 32)
	if err != nil {
		return math.MaxInt32, true
	}
	return int(n), true
}
