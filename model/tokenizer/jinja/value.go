package jinja

import (
	"unicode"
)

// A Value is one of Python's: nil (None), bool, int, float64, string, *List, Tuple,
// *Dict, *undefined, or one of the types below.
type Value any

// A List is Python's list. Templates cannot change one.
type List struct{ Items []Value }

// A Tuple is Python's tuple.
type Tuple []Value

// undefined is what a name or an attribute that is not there gives. It is empty and
// false, and an error where more is asked of it; why says what is missing.
type undefined struct{ why string }

// A markup is text that the filters safe and escape give: what is joined to it is
// escaped.
type markup string

// A namespace holds attributes that set statements can write.
type namespace struct{ attrs *Dict }

// A numbers is Python's range.
type numbers struct{ start, stop, step, n int }

func (n numbers) item(i int) int { return n.start + i*n.step }

// A view is what a dictionary's keys, values and items give.
type view struct {
	kind string // "keys", "values" or "items"
	of   *Dict
}

func (v view) item(i int) Value {
	switch v.kind {
	case "keys":
		return v.of.keys[i]
	case "values":
		return v.of.values[i]
	}
	return Tuple{v.of.keys[i], v.of.values[i]}
}

// An iterator gives its values once.
type iterator struct {
	kind string // Python's name of it
	next func() (Value, bool)
}

// A function is a builtin or a method bound to its object.
type function struct {
	name string
	self Value
	*builtin
}

// A grouped is an element of groupby: a tuple with names.
type grouped struct {
	key  Value
	list *List
}

func (g *grouped) tuple() Tuple { return Tuple{g.key, g.list} }

// typeName is Python's name of a value's type.
func typeName(v Value) string {
	switch v := v.(type) {
	case nil:
		return "NoneType"
	case bool:
		return "bool"
	case int:
		return "int"
	case float64:
		return "float"
	case string:
		return "str"
	case markup:
		return "Markup"
	case *List:
		return "list"
	case Tuple, *grouped:
		return "tuple"
	case *Dict:
		return "dict"
	case *undefined:
		return "Undefined"
	case *namespace:
		return "Namespace"
	case numbers:
		return "range"
	case view:
		return "dict_" + v.kind
	case *iterator:
		return v.kind
	case *macro:
		return "Macro"
	case *loop:
		return "LoopContext"
	case *cycler:
		return "Cycler"
	case *joiner:
		return "Joiner"
	}
	return "function"
}

// isSpace is Python's str.isspace of a character.
func isSpace(c rune) bool { return unicode.IsSpace(c) || c >= 0x1c && c <= 0x1f }

// truth is Python's bool.
func truth(v Value) bool {
	switch v := v.(type) {
	case nil, *undefined:
		return false
	case bool:
		return v
	case int:
		return v != 0
	case float64:
		return v != 0
	case string:
		return v != ""
	case markup:
		return v != ""
	case *loop:
		return v.length() != 0
	}
	if n, ok := length(v); ok {
		return n != 0
	}
	return true
}

// length is Python's len; false for what has none.
func length(v Value) (int, bool) {
	switch v := v.(type) {
	case string:
		return runes(v), true
	case markup:
		return runes(string(v)), true
	case *List:
		return len(v.Items), true
	case Tuple:
		return len(v), true
	case *grouped:
		return 2, true
	case *Dict:
		return len(v.keys), true
	case view:
		return len(v.of.keys), true
	case numbers:
		return v.n, true
	case *loop:
		return v.length(), true
	case *undefined:
		return 0, true
	}
	return 0, false
}
