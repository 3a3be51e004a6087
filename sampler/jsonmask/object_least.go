package jsonmask

// Names that are not declared may repeat, and a repeated one counts once: until there
// are as many members as there must be, such names are of a class each.

// counted calls to with the names that are not declared, of classes not seen.
func (o *object) counted(at place, room bool, next place, to func(terminal, *memberTail, place) bool) {
	for i, u := range o.others {
		if !u.value.live || !room && !o.meetsMore(at, len(o.values)+i) {
			continue
		}
		for _, x := range o.c.classed(u.name) {
			bit := placeNames + x.class - classText
			if at.has(bit) {
				continue
			}
			then := next
			then.see(bit)
			o.meet(&then, len(o.values)+i)
			if to(x.term, &o.tails[len(o.values)+i], then) {
				return
			}
		}
	}
}

// most is how many names are known to differ: those declared, and one of each class.
func (o *object) most() int {
	n, met := 0, map[int]bool{}
	for _, v := range o.values {
		if v.live {
			n++
		}
	}
	for _, u := range o.others {
		for _, x := range o.c.classed(u.name) {
			if u.value.live {
				met[x.class] = true
			}
		}
	}
	return n + len(met)
}
