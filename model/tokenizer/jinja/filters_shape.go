package jinja

var shapeFilters = map[string]*builtin{
	"batch": def("linecount fill_with?", batch),
	"slice": def("slices fill_with?", inSlices),
}

// batch cuts into lists of n.
func batch(r *run, self Value, a args) Value {
	return generate(func() *iterator {
		it, ended := r.iterate(self), false
		return &iterator{"generator", func() (Value, bool) {
			l := &List{}
			for !ended {
				if r.equal(len(l.Items), a.bound[0]) && len(l.Items) > 0 {
					return l, true
				}
				v, ok := it.next()
				if !ok {
					ended = true
					break
				}
				r.grow(1)
				l.Items = append(l.Items, v)
			}
			if len(l.Items) == 0 {
				return nil, false
			}
			if n, ok := asInt(a.bound[0]); ok && a.or(1, nil) != nil {
				for len(l.Items) < n {
					r.grow(1)
					l.Items = append(l.Items, a.bound[1])
				}
			}
			return l, true
		}}
	})
}

// inSlices cuts into n lists, the longer ones first.
func inSlices(r *run, self Value, a args) Value {
	return generate(func() *iterator {
		items, n := r.items(self), a.int(0, 0)
		if n == 0 {
			fail("slice into 0 lists")
		}
		each, longer := floorDiv(len(items), n), len(items)-floorDiv(len(items), n)*n
		return r.counted("generator", max(n, 0), func(i int) Value {
			from := i*each + min(i, longer)
			to := from + each
			if i < longer {
				to++
			}
			part := items[from:to:to]
			if a.or(1, nil) != nil && i >= longer {
				part = append(part, a.bound[1])
			}
			r.grow(len(part) + 1)
			return &List{part}
		})
	})
}
