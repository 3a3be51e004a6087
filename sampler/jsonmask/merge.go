package jsonmask

import (
	"encoding/json"
	"maps"
	"math/big"
	"reflect"
	"slices"
)

// merge returns what is held to a and b together.
func merge(a, b flat) flat {
	m := a
	m.spare = a.spare || b.spare
	m.types &= b.types
	if b.limited {
		m.enum, m.limited = b.enum, true
		if a.limited {
			m.enum = slices.DeleteFunc(slices.Clone(a.enum), func(v any) bool {
				return !slices.ContainsFunc(b.enum, func(w any) bool { return sameJSON(v, w) })
			})
		}
	}
	m.span, m.step = a.span.and(b.span), lcm(a.step, b.step)
	m.minLen, m.maxLen = max(a.minLen, b.minLen), tighter(a.maxLen, b.maxLen)
	m.patterns = join(a.patterns, b.patterns)
	m.unlike = join(a.unlike, b.unlike)
	m.minItems, m.maxItems = max(a.minItems, b.minItems), tighter(a.maxItems, b.maxItems)
	m.prefix, m.looked = nil, max(a.looked, b.looked)
	for i := range max(len(a.prefix), len(b.prefix)) {
		m.prefix = append(m.prefix, join(a.item(i), b.item(i)))
	}
	m.unique = a.unique || b.unique
	m.items = join(a.items, b.items)
	m.names = join(a.names, b.names)
	m.properties = map[string]all{}
	for _, name := range m.names {
		m.properties[name] = join(a.property(name), b.property(name))
	}
	m.additional = join(a.additional, b.additional)
	m.declared, m.closed, m.closedItems = join(a.declared, b.declared), a.closed || b.closed, a.closedItems || b.closedItems
	m.contains, m.leftovers = join(a.contains, b.contains), join(a.leftovers, b.leftovers)
	m.parts, m.naming, m.notText = join(a.parts, b.parts), join(a.naming, b.naming), join(a.notText, b.notText)
	m.required, m.outsiders = join(a.required, b.required), join(a.outsiders, b.outsiders)
	m.needs = maps.Clone(a.needs)
	for name, others := range b.needs {
		m.needs[name] = join(m.needs[name], others)
	}
	m.minProps, m.maxProps = max(a.minProps, b.minProps), tighter(a.maxProps, b.maxProps)
	return m
}

func tighter(a, b int) int {
	if a < 0 || b >= 0 && b < a {
		return b
	}
	return a
}

// join appends what b has more than a, and leaves both alone.
func join[S ~[]E, E any](a, b S) S {
	out := slices.Clone(a)
	for _, x := range b {
		if !slices.ContainsFunc(out, func(y E) bool { return same(x, y) }) {
			out = append(out, x)
		}
	}
	return out
}

func same[E any](a, b E) bool {
	switch x := any(a).(type) {
	case source:
		return x.is(any(b).(source))
	case contains:
		y := any(b).(contains)
		return x.schema.at == y.schema.at && x.min == y.min && x.max == y.max && x.silent == y.silent
	case members:
		y := any(b).(members)
		return x.at == y.at && x.evaluates == y.evaluates
	case outsider:
		return x.at == any(b).(outsider).at
	case string:
		return x == any(b).(string)
	}
	return reflect.DeepEqual(a, b)
}

// sameJSON is equality of JSON values: 1 and 1.0 are one number.
func sameJSON(a, b any) bool {
	switch x := a.(type) {
	case json.Number:
		y, ok := b.(json.Number)
		if !ok {
			return false
		}
		p, okP := rational(x)
		q, okQ := rational(y)
		return okP && okQ && p.Cmp(q) == 0
	case []any:
		y, ok := b.([]any)
		return ok && slices.EqualFunc(x, y, sameJSON)
	case map[string]any:
		y, ok := b.(map[string]any)
		return ok && maps.EqualFunc(x, y, sameJSON)
	}
	return reflect.DeepEqual(a, b)
}

// rational is the value of x. A text with a great exponent is no number here.
func rational(x json.Number) (*big.Rat, bool) {
	if f, err := x.Float64(); err != nil || f != 0 && (f > 1e40 || f < -1e40 || f < 1e-40 && f > -1e-40) {
		return nil, false
	}
	return new(big.Rat).SetString(x.String())
}
