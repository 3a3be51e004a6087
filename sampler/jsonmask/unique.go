package jsonmask

import (
	"bytes"
	"encoding/json"
)

// Items that have to differ are of different classes: each class may be used once in
// a list. Listed values are a class each where all are listed; other strings and
// numbers are told apart by the sum of their bytes, objects by a member, lists by their
// length. So every text is valid, and some valid texts are left out.
const (
	classNull = iota
	classTrue
	classFalse
	classObject
	classList
	classText   = 8
	classNumber = classText + classes
	classLength = classNumber + classes
	classMember = classLength + lengths // and the class of the member
	classesHeld = 256                   // bits of a place
)

// lengths is how many lengths of lists are told apart, the last one and longer together.
const lengths = 8

// A choice is a way to begin an item, and its class.
type choice struct {
	term  terminal
	value *value // the objects or lists of it, where term is nil
	class int
}

// A differences is a list's items by class.
type differences struct {
	c     *compiler
	items map[*value][]choice
	exact map[string]int // classes of listed values, where all are listed

	member string // that tells objects apart, with its quotes, by other classes
	by     *differences
}

// newDifferences looks at the values of items, which are compiled.
func newDifferences(c *compiler, items []*value) *differences {
	d := &differences{c: c, items: map[*value][]choice{}, exact: map[string]int{}}
	for _, v := range items {
		for _, t := range v.scalars {
			l, ok := t.(*literals)
			if !ok {
				d.exact = nil
				break
			}
			for _, text := range l.texts {
				if key := canonical(text); d.exact != nil {
					if _, met := d.exact[key]; !met {
						d.exact[key] = len(d.exact)
					}
				}
			}
		}
		if len(v.objects)+len(v.lists) > 0 || len(d.exact) > classesHeld {
			d.exact = nil
		}
		if d.exact == nil {
			break
		}
	}
	d.told(items)
	return d
}

// choices are those of an item.
func (d *differences) choices(v *value) []choice {
	if out, ok := d.items[v]; ok {
		return out
	}
	var out []choice
	for _, t := range v.scalars {
		l, ok := t.(*literals)
		if ok {
			out = append(out, d.listed(l)...)
			continue
		}
		out = append(out, d.c.classed(t)...)
	}
	if len(v.objects) > 0 {
		out = append(out, d.objects(v)...)
	}
	if len(v.lists) > 0 {
		out = append(out, d.lists(v)...)
	}
	d.items[v] = out
	return out
}

// classed are the classes of a terminal that some text is of.
func (c *compiler) classed(t terminal) []choice {
	if out, ok := c.parted[t]; ok {
		return out
	}
	first := classNumber
	if _, ok := t.(*text); ok {
		first = classText
	}
	var out []choice
	for sum := range classes {
		if x := newClassed(t, sum); x.possible(0) {
			out = append(out, choice{x, nil, first + sum})
		}
	}
	c.parted[t] = out
	return out
}

// listed are listed values by class.
func (d *differences) listed(l *literals) (out []choice) {
	texts := map[int][]string{}
	for _, text := range l.texts {
		if class := d.class(text); class >= 0 {
			texts[class] = append(texts[class], text)
		}
	}
	for class := range classesHeld {
		if len(texts[class]) > 0 {
			out = append(out, choice{newLiterals(texts[class]...), nil, class})
		}
	}
	return out
}

// class is that of a listed value, below 0 where it has none.
func (d *differences) class(text string) int {
	key := canonical(text)
	if d.exact != nil {
		return d.exact[key]
	}
	switch {
	case key == "":
		return -1
	case key == "null":
		return classNull
	case key == "true":
		return classTrue
	case key == "false":
		return classFalse
	case key[0] == '{':
		return classObject
	case key[0] == '[':
		return classList
	case key[0] == '"':
		return classText + classOf(key)
	}
	return classNumber + classOf(key)
}

// canonical is one text for all that are a value; of a number too great none.
func canonical(text string) string {
	j := json.NewDecoder(bytes.NewReader([]byte(text)))
	j.UseNumber()
	var x any
	if j.Decode(&x) != nil {
		return ""
	}
	switch v := x.(type) {
	case string:
		return `"` + v + `"`
	case json.Number:
		if r, ok := rational(v); ok {
			return r.RatString()
		}
		return ""
	}
	return text
}

// live reports whether a choice leads to some finite text, as far as values are known to
// live.
func (x choice) live() bool {
	if x.term != nil {
		return true
	}
	live := false
	for _, o := range x.value.objects {
		o.live = o.live || o.possible()
		live = live || o.live
	}
	for i := range x.value.lists {
		a := &x.value.lists[i]
		a.live = a.settle()
		live = live || a.live
	}
	return live
}

// part is the choice in a grammar.
func (x choice) part() part {
	if x.term != nil {
		return part{term: x.term}
	}
	return part{sym: x.value}
}
