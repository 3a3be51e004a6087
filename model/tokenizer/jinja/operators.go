package jinja

// operate is Python's a op b for the arithmetic operators.
func (r *run) operate(op string, a, b Value) Value {
	r.step(1)
	if u, ok := a.(*undefined); ok {
		return fail("%s", u.why)
	}
	if s, ok := asText(a); ok && op == "%" {
		_, safe := a.(markup)
		return textLike(safe, r.percent(s, b, safe))
	}
	must(b)
	if i, ok := asInt(a); ok {
		if j, ok := asInt(b); ok {
			return integers(op, i, j)
		}
	}
	if x, ok := asFloat(a); ok {
		if y, ok := asFloat(b); ok {
			return floats(op, x, y)
		}
	}
	switch op {
	case "+":
		if v, ok := r.joined(a, b); ok {
			return v
		}
	case "*":
		if n, ok := asInt(b); ok {
			if v, ok := r.repeated(a, n); ok {
				return v
			}
		}
		if n, ok := asInt(a); ok {
			if v, ok := r.repeated(b, n); ok {
				return v
			}
		}
	}
	return fail("unsupported operand types for %s: %s and %s", op, typeName(a), typeName(b))
}

func textLike(safe bool, s string) Value {
	if safe {
		return markup(s)
	}
	return s
}

// joined is a + b of two texts, lists or tuples.
func (r *run) joined(a, b Value) (Value, bool) {
	if s, ok := asText(a); ok {
		t, ok := asText(b)
		_, safeA := a.(markup)
		_, safeB := b.(markup)
		if safeA != safeB {
			s, t = escaped(a, s), escaped(b, t)
		}
		return textLike(safeA || safeB, r.text(s+t)), ok
	}
	if x, ok := a.(*List); ok {
		if y, ok := b.(*List); ok {
			r.grow(len(x.Items) + len(y.Items))
			return &List{append(x.Items[:len(x.Items):len(x.Items)], y.Items...)}, true
		}
	}
	if x, y := asTuple(a), asTuple(b); x != nil && y != nil {
		r.grow(len(x) + len(y))
		return append(x[:len(x):len(x)], y...), true
	}
	return nil, false
}

// repeated is v * n of a text, a list or a tuple.
func (r *run) repeated(v Value, n int) (Value, bool) {
	many := func(items []Value) []Value {
		var all []Value
		for i := 0; i < n && len(items) > 0; i++ {
			r.grow(len(items))
			all = append(all, items...)
		}
		return all
	}
	switch v := v.(type) {
	case string:
		return repeat(r, v, n), true
	case markup:
		return markup(repeat(r, string(v), n)), true
	case *List:
		return &List{many(v.Items)}, true
	case Tuple:
		return Tuple(many(v)), true
	case *grouped:
		return Tuple(many(v.tuple())), true
	}
	return nil, false
}
