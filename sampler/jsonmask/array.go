package jsonmask

import (
	"fmt"
	"strings"
)

// A list is what arrays are: plain, or with items that are counted.
type list interface {
	settle() bool  // whether some finite text is such an array, as far as values are known to live
	begin() symbol // the place after the opening bracket
}

type liveList struct {
	list
	live bool
}

func (c *compiler) list(f flat, at string) (list, error) {
	switch {
	case f.unique && len(f.contains) > 0:
		return nil, &UnsupportedError{at, "uniqueItems", "beside contains"}
	case f.unique && len(f.prefix) > 0 && f.minItems > 1:
		return nil, &UnsupportedError{at, "uniqueItems", "beside prefixItems and minItems"}
	case f.unique && f.minItems > classes:
		return nil, &UnsupportedError{at, "uniqueItems", fmt.Sprintf("with minItems %d: %s", f.minItems, strings.ReplaceAll(uniqueLimits, "\n", " "))}
	case f.unique:
		return &differing{array: c.array(f)}, nil
	case len(f.contains) > 0:
		return c.counted(f, at)
	}
	return c.array(f), nil
}

// An array is the values of a list; first and after are its places.
type array struct {
	c        *compiler
	prefix   []*value
	items    *value
	min, max int // max below 0 is no bound
	first    arrayFirst
	after    arrayAfter
}

func (c *compiler) array(f flat) *array {
	a := &array{c: c, min: f.minItems, max: c.items(f), items: c.value(f.items)}
	for _, s := range f.prefix {
		a.prefix = append(a.prefix, c.value(s))
	}
	a.first.array, a.after.array = a, a
	return a
}

func (a *array) item(n int) *value {
	if n < len(a.prefix) {
		return a.prefix[n]
	}
	return a.items
}

func (a *array) begin() symbol { return &a.first }

// settle reports whether the items there must be can be.
func (a *array) settle() bool {
	for n := range min(a.min, len(a.prefix)+1) {
		if !a.item(n).live {
			return false
		}
	}
	return true
}

// more adds item n, if there may be one.
func (a *array) more(n int32, to func(parts ...part), before ...part) {
	item := a.item(int(n))
	if a.max >= 0 && int(n) >= a.max || !item.live {
		return
	}
	next := n + 1
	if a.max < 0 { // count no further than it matters
		next = min(next, int32(max(a.min, len(a.prefix))))
	}
	to(append(before, part{sym: item}, part{term: a.c.space}, part{sym: &a.after, at: place{n: next}})...)
}

// arrayFirst is the place after the opening bracket.
type arrayFirst struct{ *array }

func (a *arrayFirst) expand(_ place, to func(parts ...part)) {
	if a.min == 0 {
		to(part{term: a.c.shutList})
	}
	a.more(0, to)
}

// arrayAfter is the place after an item; n have been.
type arrayAfter struct{ *array }

func (a *arrayAfter) expand(at place, to func(parts ...part)) {
	if int(at.n) >= a.min {
		to(part{term: a.c.shutList})
	}
	a.more(at.n, to, part{term: a.c.comma}, part{term: a.c.space})
}
