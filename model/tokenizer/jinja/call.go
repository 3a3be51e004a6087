package jinja

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
