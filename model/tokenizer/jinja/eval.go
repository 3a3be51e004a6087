package jinja

import "strings"

func (e *constant) eval(*run, *scope) Value { return e.value }

func (e *nsRef) eval(r *run, s *scope) Value { return r.attr(e.on.eval(r, s), e.attr) }

func evalAll(list []expr, r *run, s *scope) []Value {
	all := make([]Value, len(list))
	for i, e := range list {
		all[i] = e.eval(r, s)
	}
	r.grow(len(list))
	return all
}

func (e *listExpr) eval(r *run, s *scope) Value  { return &List{evalAll(e.items, r, s)} }
func (e *tupleExpr) eval(r *run, s *scope) Value { return Tuple(evalAll(e.items, r, s)) }

func (e *dictExpr) eval(r *run, s *scope) Value {
	d := NewDict()
	r.grow(len(e.keys))
	for i := range e.keys {
		key := e.keys[i].eval(r, s)
		r.walk(key)
		d.put(key, e.values[i].eval(r, s))
	}
	return d
}

func (e *condExpr) eval(r *run, s *scope) Value {
	switch {
	case truth(e.test.eval(r, s)):
		return e.yes.eval(r, s)
	case e.no != nil:
		return e.no.eval(r, s)
	}
	return missing("an inline if without an else was false")
}

func (e *logic) eval(r *run, s *scope) Value {
	left := e.left.eval(r, s)
	if truth(left) != e.and {
		return left
	}
	return e.right.eval(r, s)
}

func (e *notExpr) eval(r *run, s *scope) Value { return !truth(e.of.eval(r, s)) }

func (e *signExpr) eval(r *run, s *scope) Value {
	v := must(e.of.eval(r, s))
	if f, ok := v.(float64); ok {
		if e.minus {
			return -f
		}
		return f
	}
	i, ok := asInt(v)
	if !ok {
		return fail("a sign before a %s", typeName(v))
	}
	if e.minus {
		return integers("-", 0, i)
	}
	return i
}

func (e *binary) eval(r *run, s *scope) Value {
	left := e.left.eval(r, s)
	return r.operate(e.op, left, e.right.eval(r, s))
}

func (e *concat) eval(r *run, s *scope) Value {
	var b strings.Builder
	for _, v := range evalAll(e.parts, r, s) {
		b.WriteString(r.text(r.str(v)))
	}
	return b.String()
}

func (e *compare) eval(r *run, s *scope) Value {
	left := e.left.eval(r, s)
	for i, op := range e.ops {
		right := e.right[i].eval(r, s)
		if !r.holds(op, left, right) {
			return false
		}
		left = right
	}
	return true
}

func (r *run) holds(op string, left, right Value) bool {
	switch op {
	case "==":
		return r.equal(left, right)
	case "!=":
		return !r.equal(left, right)
	case "in":
		return r.contains(right, left)
	case "not in":
		return !r.contains(right, left)
	}
	return r.less(op, left, right)
}

func (e *getAttr) eval(r *run, s *scope) Value { return r.attr(e.of.eval(r, s), e.attr) }

func (e *getItem) eval(r *run, s *scope) Value {
	of := e.of.eval(r, s)
	at, ok := e.at.(*sliceExpr)
	if !ok {
		return r.index(of, e.at.eval(r, s))
	}
	var bounds [3]Value
	for i, b := range []expr{at.start, at.stop, at.step} {
		if b != nil {
			bounds[i] = b.eval(r, s)
		}
	}
	if (e.folded || r.folding) && !canSlice(of, bounds) {
		return missing(typeName(of) + " object has no such slice")
	}
	return r.slice(of, bounds[0], bounds[1], bounds[2])
}

func (e *sliceExpr) eval(*run, *scope) Value { return fail("a slice outside brackets") }

// eval of a call's arguments, in Python's order.
func (a *arguments) eval(r *run, s *scope) (pos []Value, keys []keyed) {
	pos = evalAll(a.pos, r, s)
	for i, n := range a.names {
		keys = append(keys, keyed{n, a.values[i].eval(r, s)})
	}
	if a.dynPos != nil {
		pos = append(pos, r.items(a.dynPos.eval(r, s))...)
	}
	if a.dynKeys == nil {
		return pos, keys
	}
	d, ok := a.dynKeys.eval(r, s).(*Dict)
	if !ok {
		fail("what follows ** has to be a dictionary")
	}
	for i, k := range d.keys {
		n, ok := asText(k)
		if _, twice := (args{keys: keys}).key(n); !ok || twice {
			fail("the keys after ** have to be strings that are not given yet")
		}
		keys = append(keys, keyed{n, d.values[i]})
	}
	return pos, keys
}

func (e *call) eval(r *run, s *scope) Value {
	r.notConstant()
	of := e.of.eval(r, s)
	pos, keys := e.arguments.eval(r, s)
	return r.call(of, pos, keys)
}

func (e *filter) eval(r *run, s *scope) Value { return e.apply(r, s, e.of.eval(r, s)) }

func (e *filter) apply(r *run, s *scope, in Value) Value {
	if choiceFilters[e.name] != nil {
		r.notConstant()
	}
	pos, keys := e.arguments.eval(r, s)
	return r.builtin("filter "+e.name, e.fn, in, pos, keys)
}

func (e *test) eval(r *run, s *scope) Value {
	of := e.of.eval(r, s)
	pos, keys := e.arguments.eval(r, s)
	return truth(r.builtin("test "+e.name, e.fn, of, pos, keys))
}

func (r *run) builtin(what string, b *builtin, self Value, pos []Value, keys []keyed) Value {
	if b == nil {
		return fail("no %s", what)
	}
	defer r.enter(what)()
	r.step(1)
	return b.fn(r, self, b.bind(what, pos, keys))
}

// call calls what can be called.
func (r *run) call(of Value, pos []Value, keys []keyed) Value {
	switch of := of.(type) {
	case function:
		return r.builtin(of.name, of.builtin, of.self, pos, keys)
	case *macro:
		return of.call(r, pos, keys)
	case *loop:
		return of.recurse(r, pos, keys)
	case *joiner:
		def("", nil).bind("joiner", pos, keys)
		return of.join()
	}
	must(of)
	return fail("a %s cannot be called", typeName(of))
}
