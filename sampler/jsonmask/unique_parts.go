package jsonmask

import "slices"

// told finds the member that tells objects apart: one that all of them must have, with
// values that are no objects and lists; of several the one that tells most apart.
func (d *differences) told(items []*value) {
	var objects []*object
	for _, v := range items {
		objects = append(objects, v.objects...)
	}
	if len(objects) == 0 {
		return
	}
	most := 0
	for _, i := range objects[0].required {
		name := objects[0].name(i)
		var values []*value
		for _, o := range objects {
			if v := o.must(name); v != nil {
				values = append(values, v)
			}
		}
		if len(values) < len(objects) {
			continue
		}
		by, met := newDifferences(d.c, values), map[int]bool{}
		for _, v := range values {
			for _, x := range by.choices(v) {
				met[x.class] = true
			}
		}
		if len(met) > most {
			d.member, d.by, most = name, by, len(met)
		}
	}
}

// name is that of declared name i, with its quotes.
func (o *object) name(i int) string { return o.names[i].(*literals).texts[0] }

// must returns the value of a member that there must be and that is no object or list, nil
// where there is none.
func (o *object) must(name string) *value {
	for _, i := range o.required {
		if v := o.values[i]; o.name(i) == name && len(v.objects)+len(v.lists) == 0 {
			return v
		}
	}
	return nil
}

// objects are the objects of v by the class of the member that tells them apart.
func (d *differences) objects(v *value) (out []choice) {
	if d.member == "" {
		return []choice{{nil, &value{c: v.c, objects: v.objects}, classObject}}
	}
	byClass := map[int]*value{}
	for _, o := range v.objects {
		i := slices.IndexFunc(o.required, func(i int) bool { return o.name(i) == d.member })
		for _, x := range d.by.choices(o.values[o.required[i]]) {
			class := classMember + x.class
			if class >= classesHeld {
				continue
			}
			if byClass[class] == nil {
				byClass[class] = &value{c: v.c}
				out = append(out, choice{nil, byClass[class], class})
			}
			byClass[class].objects = append(byClass[class].objects, o.holding(o.required[i], x.term))
		}
	}
	return out
}

// holding is o with the texts of a terminal as the value of name i.
func (o *object) holding(i int, t terminal) *object {
	c := *o
	c.late, c.live, c.tails = lateNames{}, false, slices.Clone(o.tails)
	c.values = slices.Clone(o.values)
	c.values[i] = &value{c: o.c, scalars: []terminal{t}, live: true}
	for j := range c.tails {
		c.tails[j].object = &c
	}
	c.tails[i].value = c.values[i]
	c.first.object, c.next.object, c.after.object = &c, &c, &c
	return &c
}

// lists are the lists of v by their length, the longest of a class together.
func (d *differences) lists(v *value) (out []choice) {
	plain := make([]*array, 0, len(v.lists))
	for _, l := range v.lists {
		if a, ok := l.list.(*array); ok {
			plain = append(plain, a)
		}
	}
	if len(plain) < len(v.lists) {
		return []choice{{nil, &value{c: v.c, lists: v.lists}, classList}}
	}
	for n := range lengths {
		held := &value{c: v.c}
		for _, a := range plain {
			if n == lengths-1 && (a.max < 0 || a.max >= n) {
				held.lists = append(held.lists, liveList{list: a.between(max(n, a.min), a.max)})
			} else if n >= a.min && (a.max < 0 || n <= a.max) {
				held.lists = append(held.lists, liveList{list: a.between(n, n)})
			}
		}
		if len(held.lists) > 0 {
			out = append(out, choice{nil, held, classLength + n})
		}
	}
	return out
}

// between is a with from least to most items.
func (a *array) between(least, most int) *array {
	c := *a
	c.min, c.max = least, most
	c.first.array, c.after.array = &c, &c
	return &c
}
