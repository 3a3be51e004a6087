package jinja

// iterate is Python's iter of a value.
func (r *run) iterate(v Value) *iterator {
	it, ok := r.iterable(v)
	if !ok {
		fail("a value of type %s cannot be walked", typeName(v))
	}
	return it
}

func (r *run) iterable(v Value) (*iterator, bool) {
	switch v := v.(type) {
	case *iterator:
		return v, true
	case string:
		return r.characters(v), true
	case markup:
		return r.characters(string(v)), true
	case *List:
		return r.counted("list_iterator", len(v.Items), func(i int) Value { return v.Items[i] }), true
	case Tuple:
		return r.counted("tuple_iterator", len(v), func(i int) Value { return v[i] }), true
	case *grouped:
		return r.iterable(v.tuple())
	case *Dict:
		return r.counted("dict_keyiterator", len(v.keys), func(i int) Value { return v.keys[i] }), true
	case view:
		return r.counted("dict_"+v.kind+"iterator", len(v.of.keys), v.item), true
	case numbers:
		return r.counted("range_iterator", v.n, func(i int) Value { return v.item(i) }), true
	case *loop:
		return &iterator{"LoopContext", func() (Value, bool) {
			ok := v.next()
			return Tuple{v.current, v}, ok
		}}, true
	case *undefined:
		return r.counted("generator", 0, nil), true
	}
	return nil, false
}

func (r *run) counted(kind string, n int, item func(int) Value) *iterator {
	i := 0
	return &iterator{kind, func() (Value, bool) {
		if i == n {
			return nil, false
		}
		r.step(1)
		i++
		return item(i - 1), true
	}}
}

func (r *run) characters(s string) *iterator {
	return &iterator{"str_iterator", func() (Value, bool) {
		for i, c := range s {
			r.step(1)
			n := len(string(c))
			first := s[i : i+n]
			s = s[i+n:]
			return first, true
		}
		return nil, false
	}}
}

func (r *run) mapped(it *iterator, f func(Value) Value) *iterator {
	return &iterator{"generator", func() (Value, bool) {
		v, ok := it.next()
		if !ok {
			return nil, false
		}
		return f(v), true
	}}
}

func (r *run) kept(it *iterator, keep func(Value) bool) *iterator {
	return &iterator{"generator", func() (Value, bool) {
		for {
			v, ok := it.next()
			if !ok || keep(v) {
				return v, ok
			}
		}
	}}
}

// generate is a generator whose body begins when it is first asked.
func generate(begin func() *iterator) *iterator {
	var it *iterator
	return &iterator{"generator", func() (Value, bool) {
		if it == nil {
			it = begin()
		}
		return it.next()
	}}
}

// items walks all of a value.
func (r *run) items(v Value) []Value {
	var all []Value
	it := r.iterate(v)
	for {
		item, ok := it.next()
		if !ok {
			return all
		}
		r.grow(1)
		all = append(all, item)
	}
}

func (r *run) list(v Value) *List { return &List{r.items(v)} }

// contains is Python's item in v.
func (r *run) contains(v, item Value) bool {
	switch v := v.(type) {
	case string, markup:
		s, ok := asText(item)
		if !ok {
			fail("in <string>: want a string to the left, not a %s", typeName(item))
		}
		in, _ := asText(v)
		return r.find(in, s) >= 0
	case *Dict:
		r.walk(item)
		_, ok := v.get(item)
		return ok
	case view:
		if v.kind == "keys" {
			r.walk(item)
			_, ok := v.of.get(item)
			return ok
		}
	}
	it := r.iterate(v)
	for {
		next, ok := it.next()
		if !ok {
			return false
		}
		if r.same(next, item) || r.equal(next, item) {
			return true
		}
	}
}

// same is Python's is, where that does not depend on how Python keeps values.
func (r *run) same(a, b Value) bool {
	if x, y := asTuple(a), asTuple(b); x != nil || y != nil {
		return len(x) > 0 && len(x) == len(y) && &x[0] == &y[0] || x != nil && y != nil && len(x)+len(y) == 0
	}
	switch a.(type) {
	case string, markup, int, float64, view, function, numbers:
		return typeName(a) == typeName(b) && r.equal(a, b)
	}
	switch b.(type) {
	case view, function:
		return false
	}
	return a == b
}
