package jinja

import (
	"fmt"
	"strings"
)

// identity names an object among those that are equal only to themselves.
func identity(v Value) string { return fmt.Sprintf("o%T%p", v, v) }

// equal is Python's ==.
func (r *run) equal(a, b Value) bool {
	r.step(1)
	switch x := a.(type) {
	case nil:
		return b == nil
	case string, markup:
		s, _ := asText(x)
		t, ok := asText(b)
		r.step(min(len(s), len(t)) / 64)
		return ok && s == t
	case bool, int, float64:
		return equalNumbers(a, b)
	case *undefined:
		_, ok := b.(*undefined)
		return ok
	case *List:
		y, ok := b.(*List)
		return ok && r.equalItems(x.Items, y.Items)
	case Tuple, *grouped:
		y := asTuple(b)
		return y != nil && r.equalItems(asTuple(a), y)
	case *Dict:
		y, ok := b.(*Dict)
		return ok && r.equalDicts(x, y)
	case numbers:
		y, ok := b.(numbers)
		return ok && x.n == y.n && (x.n == 0 || x.start == y.start && (x.n == 1 || x.step == y.step))
	case view:
		return r.equalViews(x, b)
	case function:
		y, ok := b.(function)
		return ok && x.name == y.name && x.builtin == y.builtin && r.equal(x.self, y.self)
	}
	switch b.(type) {
	case view, function:
		return false
	}
	return a == b
}

func asTuple(v Value) Tuple {
	switch v := v.(type) {
	case Tuple:
		if v == nil {
			return Tuple{}
		}
		return v
	case *grouped:
		return v.tuple()
	}
	return nil
}

func equalNumbers(a, b Value) bool {
	if i, ok := asInt(a); ok {
		if j, ok := asInt(b); ok {
			return i == j
		}
	}
	x, _ := asFloat(a)
	y, ok := asFloat(b)
	return ok && x == y
}

func (r *run) equalItems(a, b []Value) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if !r.equal(a[i], b[i]) {
			return false
		}
	}
	return true
}

func (r *run) equalDicts(a, b *Dict) bool {
	if len(a.keys) != len(b.keys) {
		return false
	}
	for i, k := range a.keys {
		if v, ok := b.get(k); !ok || !r.equal(a.values[i], v) {
			return false
		}
	}
	return true
}

// equalViews: keys and items compare as sets, values not at all.
func (r *run) equalViews(a view, b Value) bool {
	y, ok := b.(view)
	if !ok || a.kind == "values" || y.kind == "values" {
		return false
	}
	if len(a.of.keys) != len(y.of.keys) {
		return false
	}
	for i := range a.of.keys {
		if !r.contains(y, a.item(i)) {
			return false
		}
	}
	return true
}

// order is Python's a < b (-1), a == b (0) or a > b (1); op is for the error where
// they have none.
func (r *run) order(op string, a, b Value) int {
	r.step(1)
	must(a)
	must(b)
	if s, ok := asText(a); ok {
		if t, ok := asText(b); ok {
			r.step(min(len(s), len(t)) / 64)
			return strings.Compare(s, t)
		}
	}
	if c, ok := orderNumbers(a, b); ok {
		return c
	}
	if x, ok := a.(*List); ok {
		if y, ok := b.(*List); ok {
			return r.orderItems(op, x.Items, y.Items)
		}
	}
	if x, y := asTuple(a), asTuple(b); x != nil && y != nil {
		return r.orderItems(op, x, y)
	}
	fail("%s of %s and %s", op, typeName(a), typeName(b))
	return 0
}

// unordered is what order gives where one is no number.
const unordered = 2

func orderNumbers(a, b Value) (int, bool) {
	if i, ok := asInt(a); ok {
		if j, ok := asInt(b); ok {
			return cmpInt(i, j), true
		}
	}
	x, ok := asFloat(a)
	y, ok2 := asFloat(b)
	switch {
	case !ok || !ok2:
		return 0, false
	case x != x || y != y:
		return unordered, true
	case x < y:
		return -1, true
	case x > y:
		return 1, true
	}
	return 0, true
}

func cmpInt(i, j int) int {
	switch {
	case i < j:
		return -1
	case i > j:
		return 1
	}
	return 0
}

func (r *run) orderItems(op string, a, b []Value) int {
	for i := range min(len(a), len(b)) {
		if !r.equal(a[i], b[i]) {
			return r.order(op, a[i], b[i])
		}
	}
	return cmpInt(len(a), len(b))
}

// less is Python's a op b for one of <, <=, > and >=.
func (r *run) less(op string, a, b Value) bool {
	c := r.order(op, a, b)
	switch op {
	case "<":
		return c == -1
	case "<=":
		return c == -1 || c == 0
	case ">":
		return c == 1
	}
	return c == 1 || c == 0
}
