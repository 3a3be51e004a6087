package jsonmask

import (
	"fmt"
	"slices"
)

// maxNames is how many names an object may declare; of the first, places remember
// themselves which were seen.
const (
	maxNames   = 4096
	placeNames = outsiderBit - classes // the bits after them are of the classes of other names
)

// An object is members in any order, declared names at most once; first and
// after are its places.
type object struct {
	c         *compiler
	names     []terminal // with their quotes
	values    []*value
	tails     []memberTail // of names, then of others
	required  []int
	needs     [][2]int // if the first was seen, the second has to be
	others    []unnamed
	meets     []uint64 // which outsiders the members of tails are
	outsiders int
	min, max  int // max below 0 is no bound
	live      bool
	first     objectFirst
	next      objectNext
	after     objectAfter
	late      lateNames
}

func (c *compiler) object(f flat, at string) (*object, error) {
	refused, err := c.declare(&f)
	if err != nil {
		return nil, err
	}
	c.onlyDeclared(&f)
	if err := c.outside(&f, at); err != nil {
		return nil, err
	}
	if len(f.names) > maxNames {
		return nil, &UnsupportedError{at, "properties", fmt.Sprintf("more than %d names", maxNames)}
	}
	o := &object{c: c, min: f.minProps, max: c.members(f), outsiders: len(f.outsiders)}
	for _, name := range f.names {
		held := f.named(name)
		if slices.Contains(refused, name) {
			held = all{never}
		}
		o.names, o.values = append(o.names, newLiterals(spellings(name)...)), append(o.values, c.value(held))
		o.meets = append(o.meets, f.meets(func(x outsider) bool { return slices.Contains(x.declared, name) },
			func(expr string) bool { return matchesText(expr, name) }))
	}
	if o.others, err = c.unnamed(f, at); err != nil {
		return nil, err
	}
	for _, name := range f.required {
		o.required = append(o.required, slices.Index(f.names, name))
	}
	for name, others := range f.needs {
		for _, other := range others {
			o.needs = append(o.needs, [2]int{slices.Index(f.names, name), slices.Index(f.names, other)})
		}
	}
	for _, v := range o.values {
		o.tails = append(o.tails, memberTail{o, v})
	}
	for _, u := range o.others {
		o.tails, o.meets = append(o.tails, memberTail{o, u.value}), append(o.meets, u.meets)
	}
	if o.min > len(o.names)+classes && len(o.others) > 0 {
		return nil, &UnsupportedError{at, "minProperties", fmt.Sprintf("more than %d names that are not declared", classes)}
	}
	o.first.object, o.next.object, o.after.object = o, o, o
	return o, nil
}

// possible reports whether the members there must be can be.
func (o *object) possible() bool {
	for _, i := range o.required {
		if !o.values[i].live {
			return false
		}
	}
	if o.max >= 0 && len(o.required)+o.outsiders > o.max || !o.mayMeet() {
		return false
	}
	if o.min > 1 {
		return o.most() >= o.min
	}
	return o.min == 0 || slices.ContainsFunc(o.others, func(u unnamed) bool { return u.value.live }) ||
		slices.ContainsFunc(o.values, func(v *value) bool { return v.live })
}

func (p place) has(i int) bool { return p.seen[i>>6]>>(i&63)&1 == 1 }

func (p *place) see(i int) { p.seen[i>>6] |= 1 << (i & 63) }

// mayClose reports whether nothing is missing.
func (o *object) mayClose(at place) bool {
	for _, i := range o.required {
		if !o.seen(at, i) {
			return false
		}
	}
	for _, n := range o.needs {
		if o.seen(at, n[0]) && !o.seen(at, n[1]) {
			return false
		}
	}
	return int(at.n) >= o.min && o.unmet(at) == 0
}

// more calls to with every member that may be next, until it says stop: its name,
// what follows that, and the place that what follows remembers.
func (o *object) more(at place, to func(name terminal, tail *memberTail, next place) (stop bool)) {
	missing := 0
	for _, i := range o.required {
		if !o.seen(at, i) {
			missing++
		}
	}
	missing += o.unmet(at)
	room := o.max < 0 || int(at.n)+missing < o.max // for one that is not required
	next := at
	if o.max >= 0 || at.n < int32(o.min) {
		next.n++
	}
	for i, v := range o.values {
		if o.seen(at, i) || !v.live || !room && !slices.Contains(o.required, i) && !o.meetsMore(at, i) || !o.affordable(at, i) {
			continue
		}
		seen := next
		o.see(&seen, i)
		o.meet(&seen, i)
		if to(o.names[i], &o.tails[i], seen) {
			return
		}
	}
	if o.min > 1 && int(at.n) < o.min {
		o.counted(at, room, next, to)
		return
	}
	for i, u := range o.others {
		met := next
		o.meet(&met, len(o.values)+i)
		if u.value.live && (room || o.meetsMore(at, len(o.values)+i)) && to(u.name, &o.tails[len(o.values)+i], met) {
			return
		}
	}
}

// members adds every member that may be next.
func (o *object) members(at place, to func(parts ...part)) {
	o.more(at, func(name terminal, tail *memberTail, next place) bool {
		to(part{term: name}, part{sym: tail, at: next})
		return false
	})
}

// affordable reports whether what name i needs can be.
func (o *object) affordable(at place, i int) bool {
	for _, n := range o.needs {
		if n[0] == i && !o.seen(at, n[1]) && (!o.values[n[1]].live || o.max >= 0 && int(at.n)+2 > o.max) {
			return false
		}
	}
	return true
}

// objectFirst is the place after the opening brace.
type objectFirst struct{ *object }

func (o *objectFirst) expand(at place, to func(parts ...part)) {
	if o.mayClose(at) {
		to(part{term: o.c.shut})
	}
	o.members(at, to)
}

// objectAfter is the place after a member.
type objectAfter struct{ *object }

func (o *objectAfter) expand(at place, to func(parts ...part)) {
	if o.mayClose(at) {
		to(part{term: o.c.shut})
	}
	o.more(at, func(terminal, *memberTail, place) bool {
		to(part{term: o.c.comma}, part{term: o.c.space}, part{sym: &o.next, at: at})
		return true
	})
}

// objectNext is the place after a comma.
type objectNext struct{ *object }

func (o *objectNext) expand(at place, to func(parts ...part)) { o.members(at, to) }

// A memberTail is a member from its name on.
type memberTail struct {
	*object
	value *value
}

func (t *memberTail) expand(at place, to func(parts ...part)) {
	to(part{term: t.c.space}, part{term: t.c.colon}, part{term: t.c.space}, part{sym: t.value}, part{term: t.c.space}, part{sym: &t.after, at: at})
}
