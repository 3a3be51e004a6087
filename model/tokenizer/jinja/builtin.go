package jinja

import "strings"

// A builtin is a filter, a test, a function or a method.
type builtin struct {
	params []param
	any    bool // it binds its arguments itself
	fn     func(r *run, self Value, a args) Value
}

type param struct {
	name     string // "": only by position
	optional bool
}

// args are the arguments of one call.
type args struct {
	bound []Value // by parameter, as far as has says
	has   []bool
	pos   []Value // as they were given
	keys  []keyed
}

type keyed struct {
	name  string
	value Value
}

// def declares parameters by their names; "?" after one makes it optional, "-" before
// it takes its name from callers. "*" alone leaves the arguments to fn.
func def(params string, fn func(r *run, self Value, a args) Value) *builtin {
	b := &builtin{fn: fn, any: params == "*"}
	for _, p := range strings.Fields(params) {
		bare, optional := strings.CutSuffix(p, "?")
		if strings.HasPrefix(bare, "-") {
			bare = ""
		}
		b.params = append(b.params, param{bare, optional})
	}
	return b
}

func (b *builtin) bind(what string, pos []Value, keys []keyed) args {
	a := args{pos: pos, keys: keys}
	if b.any {
		return a
	}
	n := len(b.params)
	a.bound, a.has = make([]Value, n), make([]bool, n)
	if len(pos) > n {
		fail("%s takes at most %d arguments, got %d", what, n, len(pos))
	}
	for i, v := range pos {
		a.bound[i], a.has[i] = v, true
	}
	for _, k := range keys {
		i := b.param(k.name)
		if i < 0 || a.has[i] {
			fail("%s: unexpected argument %s", what, k.name)
		}
		a.bound[i], a.has[i] = k.value, true
	}
	for i, p := range b.params {
		if !p.optional && !a.has[i] {
			fail("%s: argument %d is missing", what, i+1)
		}
	}
	return a
}

func (b *builtin) param(name string) int {
	for i, p := range b.params {
		if p.name != "" && p.name == name {
			return i
		}
	}
	return -1
}

// or is argument i, or what it is when it is not given.
func (a args) or(i int, otherwise Value) Value {
	if a.has[i] {
		return a.bound[i]
	}
	return otherwise
}

func (a args) truth(i int, otherwise bool) bool { return truth(a.or(i, otherwise)) }

// int is an argument that has to be an integer.
func (a args) int(i, otherwise int) int {
	v := a.or(i, otherwise)
	n, ok := asInt(v)
	if !ok {
		fail("argument %d: want an integer, not a %s", i+1, typeName(v))
	}
	return n
}

// text is an argument that has to be a string.
func (a args) text(i int) string {
	s, ok := asText(a.bound[i])
	if !ok {
		fail("argument %d: want a string, not a %s", i+1, typeName(a.bound[i]))
	}
	return s
}

// textOrNone is one that may be left out or None.
func (a args) textOrNone(i int) (string, bool) {
	if a.or(i, nil) == nil {
		return "", false
	}
	return a.text(i), true
}

// onlyKeys refuses named arguments other than these.
func (a args) onlyKeys(what string, names ...string) {
	for _, k := range a.keys {
		if !strings.Contains(" "+strings.Join(names, " ")+" ", " "+k.name+" ") {
			fail("%s: unexpected argument %s", what, k.name)
		}
	}
}

func (a args) key(name string) (Value, bool) {
	for _, k := range a.keys {
		if k.name == name {
			return k.value, true
		}
	}
	return nil, false
}
