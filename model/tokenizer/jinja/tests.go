package jinja

// A check is a test without arguments.
func check(holds func(r *run, v Value) bool) *builtin {
	return def("", func(r *run, self Value, a args) Value { return holds(r, self) })
}

func isType(names ...string) *builtin {
	return check(func(r *run, v Value) bool {
		for _, n := range names {
			if typeName(v) == n {
				return true
			}
		}
		return false
	})
}

func compares(op string) *builtin {
	return def("-other", func(r *run, self Value, a args) Value { return r.holds(op, self, a.bound[0]) })
}

// remains holds a test to what is left of a division by its argument.
func remains(by func(a args) Value, want int) func(*run, Value, args) Value {
	return func(r *run, self Value, a args) Value {
		return r.equal(r.operate("%", self, by(a)), want)
	}
}

func two(args) Value { return 2 }

var tests map[string]*builtin

func init() {
	tests = map[string]*builtin{
		"odd":         def("", remains(two, 1)),
		"even":        def("", remains(two, 0)),
		"divisibleby": def("num", remains(func(a args) Value { return a.bound[0] }, 0)),
		"undefined":   isType("Undefined"),
		"defined":     check(func(r *run, v Value) bool { _, ok := v.(*undefined); return !ok }),
		"none":        isType("NoneType"),
		"boolean":     isType("bool"),
		"true":        check(func(r *run, v Value) bool { return v == true }),
		"false":       check(func(r *run, v Value) bool { return v == false }),
		"integer":     isType("int"),
		"float":       isType("float"),
		"number":      isType("int", "float", "bool"),
		"string":      isType("str", "Markup"),
		"escaped":     isType("Markup"),
		"mapping":     isType("dict"),
		"sequence":    isType("str", "Markup", "list", "tuple", "dict", "range", "Undefined"),
		"iterable":    check(func(r *run, v Value) bool { _, ok := r.iterable(v); return ok }),
		"callable":    check(isCallable),
		"lower":       check(func(r *run, v Value) bool { return stringChecks["islower"](r.str(v)) }),
		"upper":       check(func(r *run, v Value) bool { return stringChecks["isupper"](r.str(v)) }),
		"filter":      check(func(r *run, v Value) bool { return named(filters, v) }),
		"test":        check(func(r *run, v Value) bool { return named(tests, v) }),
		"sameas":      def("other", func(r *run, self Value, a args) Value { return r.same(self, a.bound[0]) }),
		"in":          def("seq", func(r *run, self Value, a args) Value { return r.contains(a.bound[0], self) }),
	}
	for op, names := range map[string][]string{"==": {"==", "eq", "equalto"}, "!=": {"!=", "ne"}, "<": {"<", "lt", "lessthan"},
		"<=": {"<=", "le"}, ">": {">", "gt", "greaterthan"}, ">=": {">=", "ge"}} {
		for _, name := range names {
			tests[name] = compares(op)
		}
	}
}

func named(of map[string]*builtin, v Value) bool {
	s, ok := asText(v)
	return ok && of[s] != nil || !hashable(v) && fail("unhashable type: %q", typeName(v)) != nil
}

// isCallable: what is undefined can be called too, which is then an error.
func isCallable(r *run, v Value) bool {
	switch v.(type) {
	case function, *macro, *loop, *joiner, *undefined:
		return true
	}
	return false
}
