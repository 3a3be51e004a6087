package jinja

var choiceFilters = map[string]*builtin{
	"map":        def("*", mapFilter),
	"select":     def("*", choose(false, true)),
	"reject":     def("*", choose(false, false)),
	"selectattr": def("*", choose(true, true)),
	"rejectattr": def("*", choose(true, false)),
}

// mapFilter applies a filter, or reads an attribute, item by item.
func mapFilter(r *run, self Value, a args) Value {
	return generate(func() *iterator {
		if !truth(self) {
			return r.counted("generator", 0, nil)
		}
		attribute, byAttribute := a.key("attribute")
		if byAttribute && len(a.pos) == 0 {
			a.onlyKeys("map", "attribute", "default")
			otherwise, _ := a.key("default")
			return r.mapped(r.iterate(self), r.getter(attribute, otherwise, false))
		}
		if len(a.pos) == 0 {
			fail("map wants the name of a filter, or attribute=")
		}
		name := r.str(a.pos[0])
		return r.mapped(r.iterate(self), func(v Value) Value {
			return r.builtin("filter "+name, filters[name], v, a.pos[1:], a.keys)
		})
	})
}

// choose keeps the items, or those with an attribute, for which a test holds or does
// not hold.
func choose(byAttribute, want bool) func(*run, Value, args) Value {
	return func(r *run, self Value, a args) Value {
		return generate(func() *iterator {
			if !truth(self) {
				return r.counted("generator", 0, nil)
			}
			get, pos := func(v Value) Value { return v }, a.pos
			if byAttribute {
				if len(pos) == 0 {
					fail("want the name of an attribute")
				}
				get, pos = r.getter(pos[0], nil, false), pos[1:]
			}
			return r.kept(r.iterate(self), func(v Value) bool {
				v = get(v)
				if len(pos) > 0 {
					name := r.str(pos[0])
					v = r.builtin("test "+name, tests[name], v, pos[1:], a.keys)
				}
				return truth(v) == want
			})
		})
	}
}
