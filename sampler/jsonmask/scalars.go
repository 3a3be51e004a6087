package jsonmask

import (
	"fmt"
	"math/big"
	"slices"
)

// numbers returns those of f, nil where there are none.
func (c *compiler) numbers(f flat) terminal {
	kind := f.types & typeNumber
	switch {
	case f.low != nil || f.high != nil || f.step != nil || kind == typeFraction:
		if b := c.bounded(f.span, f.step, kind, maxDigits); b.possible() {
			return b
		}
		return nil
	case c.options.Bounds.Digits > 0:
		return c.bounded(f.span, f.step, kind, c.options.Bounds.Digits)
	case kind == typeInteger:
		return c.integer
	}
	return c.number
}

func (c *compiler) bounded(in span, step *big.Rat, kind, digits int) *bounded {
	b := newBounded(in, step, kind)
	b.digits, b.grammar.bare = digits, kind == typeInteger && c.doc.speaks(draft4)
	return b
}

func (c *compiler) text(f flat, at string) (*text, error) {
	t, err := c.string(f.minLen, c.length(f.minLen, f.maxLen, f.patterns...), f.patterns, f.unlike, f.notText)
	if err != nil {
		return nil, &UnsupportedError{at, "pattern", err.Error()}
	}
	return t, nil
}

// string returns the strings of low to high code points that match the patterns of
// in and none of not, and are none of texts.
func (c *compiler) string(low, high int, in, not, texts []string) (*text, error) {
	if low == 0 && high < 0 && len(in)+len(not)+len(texts) == 0 {
		return c.anyText, nil
	}
	if len(in)+len(not) > maxPatterns {
		return nil, fmt.Errorf("more than %d of one string", maxPatterns)
	}
	var patterns []*pattern
	for _, expr := range slices.Concat(in, not) {
		p, err := newPattern(expr)
		if err != nil {
			return nil, err
		}
		patterns = append(patterns, p)
	}
	t := newText(low, high, patterns, nil)
	if len(texts) > 0 {
		t = newText(low, high, patterns, newLiterals(texts...))
	}
	t.refused = len(not)
	return t, nil
}
