package jsonmask

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/big"
	"reflect"
	"slices"
)

// The types of JSON, as bits.
const (
	typeNull = 1 << iota
	typeBoolean
	typeInteger // numbers without a fraction
	typeFraction
	typeString
	typeArray
	typeObject

	typeNumber = typeInteger | typeFraction
	typeAll    = 1<<iota - 1
)

var typeBits = map[string]int{"null": typeNull, "boolean": typeBoolean, "integer": typeInteger, "number": typeNumber,
	"string": typeString, "array": typeArray, "object": typeObject}

// A flat is a schema without combinators: one alternative of all that applies to
// a value.
type flat struct {
	types   int
	enum    []any // where limited
	limited bool

	low, high         *big.Rat
	openLow, openHigh bool

	minLen, maxLen int // maxLen below 0 is no bound; so for items and properties
	patterns       []string

	prefix             []all
	items              all
	closedItems        bool // items says what every item is
	minItems, maxItems int

	names              []string // of properties, in the order they were met
	properties         map[string]all
	additional         all
	declared           []string // names that properties has
	closed             bool     // additional says what every other name is
	required           []string
	needs              map[string][]string // dependentRequired
	minProps, maxProps int
}

// all is schemas that a value is held to together; none allow everything.
type all []source

func anything() flat {
	return flat{types: typeAll, maxLen: -1, maxItems: -1, maxProps: -1, properties: map[string]all{}, needs: map[string][]string{}}
}

// merge returns what is held to a and b together.
func merge(a, b flat) flat {
	m := a
	m.types &= b.types
	if b.limited {
		m.enum, m.limited = b.enum, true
		if a.limited {
			m.enum = slices.DeleteFunc(slices.Clone(a.enum), func(v any) bool {
				return !slices.ContainsFunc(b.enum, func(w any) bool { return sameJSON(v, w) })
			})
		}
	}
	if b.low != nil && (m.low == nil || b.low.Cmp(m.low) > 0 || b.low.Cmp(m.low) == 0 && b.openLow) {
		m.low, m.openLow = b.low, b.openLow
	}
	if b.high != nil && (m.high == nil || b.high.Cmp(m.high) < 0 || b.high.Cmp(m.high) == 0 && b.openHigh) {
		m.high, m.openHigh = b.high, b.openHigh
	}
	m.minLen, m.maxLen = max(a.minLen, b.minLen), tighter(a.maxLen, b.maxLen)
	m.patterns = join(a.patterns, b.patterns)
	m.minItems, m.maxItems = max(a.minItems, b.minItems), tighter(a.maxItems, b.maxItems)
	m.prefix = nil
	for i := range max(len(a.prefix), len(b.prefix)) {
		m.prefix = append(m.prefix, join(a.item(i), b.item(i)))
	}
	m.items = join(a.items, b.items)
	m.names = join(a.names, b.names)
	m.properties = map[string]all{}
	for _, name := range m.names {
		m.properties[name] = join(a.property(name), b.property(name))
	}
	m.additional = join(a.additional, b.additional)
	m.declared, m.closed, m.closedItems = join(a.declared, b.declared), a.closed || b.closed, a.closedItems || b.closedItems
	m.required = join(a.required, b.required)
	m.needs = maps.Clone(a.needs)
	for name, others := range b.needs {
		m.needs[name] = join(m.needs[name], others)
	}
	m.minProps, m.maxProps = max(a.minProps, b.minProps), tighter(a.maxProps, b.maxProps)
	return m
}

func (f flat) item(i int) all {
	if i < len(f.prefix) {
		return f.prefix[i]
	}
	return f.items
}

func (f flat) property(name string) all {
	if s, ok := f.properties[name]; ok {
		return s
	}
	return f.additional
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
	if s, ok := any(a).(source); ok {
		return s.at == any(b).(source).at
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

// atMost is how many alternatives a schema may have.
const atMost = 256

// flatten returns the alternatives of what together hold a value.
func (d *document) flatten(together all) ([]flat, error) {
	out := []flat{anything()}
	for _, s := range together {
		alternatives, err := d.alternatives(s, nil)
		if err != nil {
			return nil, err
		}
		if out, err = product(s.at, out, alternatives); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// product merges every one of a with every one of b.
func product(at string, a, b []flat) ([]flat, error) {
	if len(a)*len(b) > atMost {
		return nil, &UnsupportedError{at, "anyOf", fmt.Sprintf("more than %d combinations", atMost)}
	}
	var out []flat
	for _, x := range a {
		for _, y := range b {
			if m := merge(x, y); m.types != 0 && !(m.limited && len(m.enum) == 0) {
				out = append(out, m)
			}
		}
	}
	return out, nil
}

// alternatives returns those of one schema. within are the schemas whose
// references led here: one that leads back to itself says nothing.
func (d *document) alternatives(s source, within []string) ([]flat, error) {
	if slices.Contains(within, s.at) {
		return nil, &SchemaError{s.at, "refers to itself and to nothing else"}
	}
	within = append(slices.Clone(within), s.at)
	switch v := s.value.(type) {
	case bool:
		if v {
			return []flat{anything()}, nil
		}
		return nil, nil
	case map[string]any:
		own, err := d.own(s.at, v)
		if err != nil {
			return nil, err
		}
		return d.combine(s.at, v, []flat{own}, within)
	}
	return nil, &SchemaError{s.at, fmt.Sprintf("is %T, want an object or a boolean", s.value)}
}

// combine merges what references and combinators of v say into out.
func (d *document) combine(at string, v map[string]any, out []flat, within []string) ([]flat, error) {
	if ref, ok := v["$ref"]; ok {
		text, ok := ref.(string)
		if !ok {
			return nil, &SchemaError{at, "$ref is no string"}
		}
		to, err := d.resolve(at, text)
		if err != nil {
			return nil, err
		}
		if out, err = d.with(out, [][]source{{to}}, at, within); err != nil {
			return nil, err
		}
	}
	for _, keyword := range []string{"allOf", "anyOf", "oneOf"} {
		list, err := d.list(at, v, keyword)
		if err != nil {
			return nil, err
		}
		if list == nil {
			continue
		}
		choices := [][]source{list}
		if keyword == "allOf" {
			choices = nil
			for _, s := range list {
				choices = append(choices, []source{s})
			}
		}
		if out, err = d.with(out, choices, at, within); err != nil {
			return nil, err
		}
	}
	out, err := d.conditions(at, v, out, within)
	if err != nil {
		return nil, err
	}
	return unevaluated(at, v, out), nil
}

// with merges into out, of every list of sources, the alternatives of all.
func (d *document) with(out []flat, choices [][]source, at string, within []string) ([]flat, error) {
	for _, list := range choices {
		var either []flat
		for _, s := range list {
			more, err := d.alternatives(s, within)
			if err != nil {
				return nil, err
			}
			either = append(either, more...)
		}
		var err error
		if out, err = product(at, out, either); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// list returns the schemas under a keyword, nil where it is not there.
func (d *document) list(at string, v map[string]any, keyword string) ([]source, error) {
	value, ok := v[keyword]
	if !ok {
		return nil, nil
	}
	list, ok := value.([]any)
	if !ok || len(list) == 0 {
		return nil, &SchemaError{at, keyword + " is no list of schemas"}
	}
	out := []source{}
	for i, x := range list {
		out = append(out, source{under(under(at, keyword), fmt.Sprint(i)), x})
	}
	return out, nil
}
