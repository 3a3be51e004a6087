package jsonmask

// A differing is an array of items that all differ: a place remembers the classes
// that were used.
type differing struct {
	*array
	by    *differences
	first differingFirst
	after differingAfter
}

func (a *differing) begin() symbol { return &a.first }

// settle reports whether there are as many classes as items there must be.
func (a *differing) settle() bool {
	if a.by == nil {
		a.first.differing, a.after.differing = a, a
		a.by = newDifferences(a.c, append(a.prefix[:len(a.prefix):len(a.prefix)], a.items))
	}
	used := map[int]bool{}
	for _, x := range a.by.choices(a.item(0)) {
		if a.min > 0 && x.live() {
			used[x.class] = true
		}
	}
	return len(used) >= a.min
}

// more adds every class of item n that was not used, if there may be one.
func (a *differing) more(at place, to func(parts ...part), before ...part) {
	if a.max >= 0 && int(at.n) >= a.max {
		return
	}
	next := at
	next.n++
	if a.max < 0 { // count no further than it matters
		next.n = min(next.n, int32(max(a.min, len(a.prefix))))
	}
	for _, x := range a.by.choices(a.item(int(at.n))) {
		if at.has(x.class) || !x.live() {
			continue
		}
		then := next
		then.see(x.class)
		to(append(before[:len(before):len(before)], x.part(), part{term: a.c.space}, part{sym: &a.after, at: then})...)
	}
}

// differingFirst is the place after the opening bracket.
type differingFirst struct{ *differing }

func (a *differingFirst) expand(_ place, to func(parts ...part)) {
	if a.min == 0 {
		to(part{term: a.c.shutList})
	}
	a.more(place{}, to)
}

// differingAfter is the place after an item.
type differingAfter struct{ *differing }

func (a *differingAfter) expand(at place, to func(parts ...part)) {
	if int(at.n) >= a.min {
		to(part{term: a.c.shutList})
	}
	a.more(at, to, part{term: a.c.comma}, part{term: a.c.space})
}
