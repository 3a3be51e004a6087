package jinja

// attr is Jinja2's a.b: an attribute of the Python object, or else its item.
func (r *run) attr(of Value, id string) Value {
	if v, ok := r.attribute(of, id); ok {
		return v
	}
	if v, ok := r.item(of, id); ok {
		return v
	}
	return missing(quote(typeName(of)+" object") + " has no attribute " + quote(id))
}

// index is Jinja2's a[b]: an item, or else the attribute of that name.
func (r *run) index(of, at Value) Value {
	if v, ok := r.item(of, at); ok {
		return v
	}
	if id, ok := asText(at); ok {
		if v, ok := r.attribute(of, id); ok {
			return v
		}
	}
	return missing(typeName(of) + " object has no element " + r.describe(at))
}

// describe is a value for a message.
func (r *run) describe(v Value) string {
	switch v.(type) {
	case string, int, nil, bool, float64:
		return r.repr(v)
	}
	return "of type " + typeName(v)
}

// item is Python's of[at]; false where Python raises what Jinja2 catches.
func (r *run) item(of, at Value) (Value, bool) {
	switch of := of.(type) {
	case *undefined:
		fail("%s", of.why)
	case *Dict:
		if !hashable(at) {
			return nil, false
		}
		r.walk(at)
		return of.get(at)
	case *grouped:
		return r.item(of.tuple(), at)
	}
	i, ok := asInt(at)
	n, sized := r.size(of)
	if _, isLoop := of.(*loop); !ok || !sized || isLoop {
		return nil, false
	}
	if i < 0 {
		i += n
	}
	if i < 0 || i >= n {
		return nil, false
	}
	return r.at(of, i)
}

// at is item i of a sequence, 0 <= i < its length.
func (r *run) at(of Value, i int) (Value, bool) {
	switch of := of.(type) {
	case string:
		return r.cut(of, i, i+1), true
	case markup:
		return markup(r.cut(string(of), i, i+1)), true
	case *List:
		return of.Items[i], true
	case Tuple:
		return of[i], true
	case numbers:
		return of.item(i), true
	}
	return nil, false
}

func hashable(v Value) bool {
	switch v := v.(type) {
	case *List, *Dict, view:
		return false
	case Tuple:
		for _, item := range v {
			if !hashable(item) {
				return false
			}
		}
	case *grouped:
		return false
	}
	return true
}

// slice is Python's of[start:stop:step]; nil bounds are left out.
func (r *run) slice(of, start, stop, step Value) Value {
	must(of)
	by := 1
	if step != nil {
		by = r.bound(step)
	}
	n, ok := r.size(of)
	if _, isLoop := of.(*loop); !ok || isLoop {
		fail("a %s cannot be sliced", typeName(of))
	}
	if by == 0 {
		fail("slice step cannot be zero")
	}
	var from, to int
	if by > 0 {
		from, to = r.limit(start, 0, n, 0, n), r.limit(stop, n, n, 0, n)
	} else {
		from, to = r.limit(start, n-1, n, -1, n-1), r.limit(stop, -1, n, -1, n-1)
	}
	return r.sliced(of, numbers{from, to, by, count(from, to, by)})
}

func (r *run) bound(v Value) int {
	i, ok := asInt(v)
	if !ok {
		fail("a slice wants integers or None, not a %s", typeName(v))
	}
	return i
}

// limit is where a bound lies among n items, between least and most.
func (r *run) limit(v Value, otherwise, n, least, most int) int {
	if v == nil {
		return otherwise
	}
	i := r.bound(v)
	if i < 0 {
		i += n
	}
	return max(least, min(i, most))
}

// count is how many numbers range(from, to, by) has.
func count(from, to, by int) int {
	switch {
	case by > 0 && to > from:
		return int((uint(to)-uint(from)-1)/uint(by)) + 1
	case by < 0 && to < from:
		return int((uint(from)-uint(to)-1)/-uint(by)) + 1
	}
	return 0
}

func (r *run) sliced(of Value, at numbers) Value {
	pick := func(items []Value) []Value {
		r.grow(at.n)
		all := make([]Value, at.n)
		for i := range all {
			all[i] = items[at.item(i)]
		}
		return all
	}
	switch of := of.(type) {
	case string:
		return r.pickRunes(of, at)
	case markup:
		return markup(r.pickRunes(string(of), at))
	case *List:
		return &List{pick(of.Items)}
	case Tuple:
		return Tuple(pick(of))
	case *grouped:
		return Tuple(pick(of.tuple()))
	case numbers:
		return numbers{of.item(at.start), of.start + of.step*at.stop, of.step * at.step, at.n}
	}
	return fail("a %s cannot be sliced", typeName(of))
}
