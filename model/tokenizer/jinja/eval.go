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
