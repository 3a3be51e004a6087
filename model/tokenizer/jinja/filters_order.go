package jinja

import (
	"slices"
	"strings"
)

var orderFilters = map[string]*builtin{
	"sort": def("reverse? case_sensitive? attribute?", func(r *run, self Value, a args) Value {
		get := r.getters(a.or(2, nil), !a.truth(1, false))
		return &List{r.sorted(r.items(self), get, backwards(a, 0))}
	}),
	"dictsort": def("case_sensitive? by? reverse?", dictSort),
	"min":      def("case_sensitive? attribute?", extreme("<")),
	"max":      def("case_sensitive? attribute?", extreme(">")),
	"unique":   def("case_sensitive? attribute?", unique),
	"groupby":  def("attribute default? case_sensitive?", groupBy),
}

// getters read several attributes, which commas part.
func (r *run) getters(attribute Value, fold bool) func(Value) Value {
	var gets []func(Value) Value
	if s, ok := asText(attribute); ok {
		for _, one := range strings.Split(s, ",") {
			gets = append(gets, r.getter(one, nil, fold))
		}
	} else {
		gets = append(gets, r.getter(attribute, nil, fold))
	}
	return func(v Value) Value {
		l := &List{}
		for _, get := range gets {
			l.Items = append(l.Items, get(v))
		}
		return l
	}
}

// sorted is Python's: equal items keep their order, also backwards.
func (r *run) sorted(items []Value, key func(Value) Value, reverse bool) []Value {
	type pair struct{ key, value Value }
	pairs := make([]pair, len(items))
	for i, v := range items {
		pairs[i] = pair{key(v), v}
	}
	slices.SortStableFunc(pairs, func(a, b pair) int {
		x, y := a.key, b.key
		if reverse {
			x, y = y, x
		}
		switch {
		case r.less("<", x, y):
			return -1
		case r.less("<", y, x):
			return 1
		}
		return 0
	})
	all := make([]Value, len(items))
	for i, p := range pairs {
		all[i] = p.value
	}
	return all
}

func dictSort(r *run, self Value, a args) Value {
	key, _ := asText(a.or(1, "key"))
	by, ok := map[string]int{"key": 0, "value": 1}[key]
	d, isDict := must(self).(*Dict)
	if !ok || !isDict {
		return fail(`dictsort wants a mapping, and by "key" or "value"`)
	}
	get := r.getter(by, nil, !a.truth(0, false))
	return &List{r.sorted(r.items(view{"items", d}), get, backwards(a, 2))}
}

// backwards is the argument reverse of Python's sorted, which wants a number.
func backwards(a args, i int) bool {
	if a.has[i] {
		return a.int(i, 0) != 0
	}
	return false
}

// extreme is the first item than which none is further in the direction of op.
func extreme(op string) func(*run, Value, args) Value {
	return func(r *run, self Value, a args) Value {
		get := r.getter(a.or(1, nil), nil, !a.truth(0, false))
		it := r.iterate(self)
		best, ok := it.next()
		if !ok {
			return missing("No aggregated item, sequence was empty.")
		}
		key := get(best)
		for {
			v, ok := it.next()
			if !ok {
				return best
			}
			if k := get(v); r.less(op, k, key) {
				best, key = v, k
			}
		}
	}
}

func unique(r *run, self Value, a args) Value {
	return generate(func() *iterator {
		get, seen := r.getter(a.or(1, nil), nil, !a.truth(0, false)), map[string]bool{}
		return r.kept(r.iterate(self), func(v Value) bool {
			key := get(v)
			r.walk(key)
			h := hashKey(key)
			was := seen[h]
			seen[h] = true
			return !was
		})
	})
}

// groupBy sorts by an attribute and gathers equal ones; a group's key is spelt as its
// first item has it.
func groupBy(r *run, self Value, a args) Value {
	fold := !a.truth(2, false)
	get := r.getter(a.bound[0], a.or(1, nil), fold)
	spelt := r.getter(a.bound[0], a.or(1, nil), false)
	groups := &List{}
	var last Value
	for i, v := range r.sorted(r.items(self), get, false) {
		k := get(v)
		if i == 0 || !r.equal(last, k) {
			groups.Items = append(groups.Items, &grouped{spelt(v), &List{}})
		}
		g := groups.Items[len(groups.Items)-1].(*grouped)
		g.list.Items = append(g.list.Items, v)
		last = k
	}
	return groups
}
