package jinja

import "strings"

var listFilters = map[string]*builtin{
	"default": def("default_value? boolean?", func(r *run, self Value, a args) Value {
		if _, ok := self.(*undefined); ok || a.truth(1, false) && !truth(self) {
			return a.or(0, "")
		}
		return self
	}),
	"length": def("", func(r *run, self Value, a args) Value {
		n, ok := r.size(self)
		if !ok {
			return fail("a %s has no length", typeName(self))
		}
		return n
	}),
	"list": def("", func(r *run, self Value, a args) Value { return r.list(self) }),
	"first": def("", func(r *run, self Value, a args) Value {
		if v, ok := r.iterate(self).next(); ok {
			return v
		}
		return missing("No first item, sequence was empty.")
	}),
	"last": def("", func(r *run, self Value, a args) Value {
		it, ok := r.backwards(self)
		if !ok {
			return fail("last of a %s", typeName(self))
		}
		if v, ok := it.next(); ok {
			return v
		}
		return missing("No last item, sequence was empty.")
	}),
	"reverse": def("", func(r *run, self Value, a args) Value {
		if s, ok := asText(self); ok {
			return r.slice(s, nil, nil, -1)
		}
		if it, ok := r.backwards(self); ok {
			return it
		}
		return &List{reversed(r.items(self))}
	}),
	"items": def("", func(r *run, self Value, a args) Value {
		return generate(func() *iterator {
			switch d := self.(type) {
			case *undefined:
				return r.iterate(d)
			case *Dict:
				return r.iterate(view{"items", d})
			}
			fail("items of a %s, want a mapping", typeName(self))
			return nil
		})
	}),
	"join": def("d? attribute?", func(r *run, self Value, a args) Value {
		var b strings.Builder
		sep, get := r.str(a.or(0, "")), r.getter(a.or(1, nil), nil, false)
		it := r.iterate(self)
		for first := true; ; first = false {
			v, ok := it.next()
			if !ok {
				return b.String()
			}
			if !first {
				b.WriteString(sep)
				r.make(len(sep))
			}
			b.WriteString(r.text(r.str(get(v))))
		}
	}),
	"attr": def("name", func(r *run, self Value, a args) Value {
		must(self)
		id := a.text(0)
		if v, ok := r.attribute(self, id); ok {
			return v
		}
		return missing(quote(typeName(self)+" object") + " has no attribute " + quote(id))
	}),
	"sum": def("attribute? start?", func(r *run, self Value, a args) Value {
		total, get := a.or(1, 0), r.getter(a.or(0, nil), nil, false)
		if _, ok := asText(total); ok {
			return fail("sum of strings")
		}
		for _, v := range r.items(self) {
			total = r.operate("+", total, get(v))
		}
		return total
	}),
}

// backwards is Python's reversed; false for what has no order or gives its items once.
func (r *run) backwards(v Value) (*iterator, bool) {
	switch v := v.(type) {
	case *iterator, *loop:
		return nil, false
	case string, markup, *List, Tuple, *grouped, *Dict, view, numbers, *undefined:
		items := r.items(v)
		kind := map[string]string{"list": "list_reverseiterator"}[typeName(v)]
		if kind == "" {
			kind = "reversed"
		}
		return r.counted(kind, len(items), func(i int) Value { return items[len(items)-1-i] }), true
	}
	return nil, false
}

// getter reads an attribute such as "a.b.0" of its argument; the argument itself where
// attribute is None. fold lowers a text that comes out.
func (r *run) getter(attribute, otherwise Value, fold bool) func(Value) Value {
	parts := r.path(attribute)
	return func(v Value) Value {
		for _, p := range parts {
			v = r.index(v, p)
			if _, ok := v.(*undefined); ok && otherwise != nil {
				v = otherwise
			}
		}
		if s, ok := v.(string); ok && fold {
			r.step(len(s) / 16)
			return lower(s)
		}
		return v
	}
}

func (r *run) path(attribute Value) []Value {
	s, ok := asText(attribute)
	switch {
	case attribute == nil:
		return nil
	case !ok:
		return []Value{attribute}
	}
	var parts []Value
	for _, p := range strings.Split(s, ".") {
		if i, ok := parseInt(p, 10); ok && stringChecks["isdigit"](p) {
			parts = append(parts, i)
		} else {
			parts = append(parts, p)
		}
	}
	return parts
}
