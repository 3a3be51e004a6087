package jsonmask

import "slices"

// An example is a text that values are added to, with a space after its commas and
// colons. It need not be valid: it is read only as far as it is.
type example struct {
	text []byte
	all  bool // properties that need not be there too
}

func (e *example) add(text string) { e.text = append(e.text, text...) }

// kinds returns what adds one of v, of each kind that it may be, a string first.
func (e *example) kinds(v *value, depth int) (out []func()) {
	for i := range v.scalars {
		t := v.scalars[len(v.scalars)-1-i]
		out = append(out, func() { e.scalar(t) })
	}
	if depth >= warmDepth && len(out) > 0 {
		return out
	}
	for _, a := range v.lists {
		if plain, ok := a.list.(*array); ok && a.live {
			out = append(out, func() { e.array(plain, depth+1) })
		}
	}
	for _, o := range v.objects {
		if o.live {
			out = append(out, func() { e.object(o, depth+1) })
		}
	}
	return out
}

// full reports whether no more should be added at depth.
func (e *example) full(depth int) bool { return len(e.text) > warmText || depth > 2*warmDepth }

// object adds the declared members, or where none is some of any name.
func (e *example) object(o *object, depth int) {
	e.add("{")
	before := ""
	member := func(name string, add func()) {
		if e.full(depth) {
			return
		}
		e.add(before + name + ": ")
		add()
		before = ", "
	}
	for i, v := range o.values {
		if kinds := e.kinds(v, depth); v.live && len(kinds) > 0 && (e.all || slices.Contains(o.required, i)) {
			member(o.names[i].(*literals).texts[0], kinds[0])
		}
	}
	if len(o.names) == 0 && len(o.others) > 0 && o.others[0].value.live {
		for _, add := range e.kinds(o.others[0].value, depth) {
			member(`"name"`, add)
		}
	}
	e.add("}")
}

// array adds two items, or of items that may be anything, one of each kind.
func (e *example) array(a *array, depth int) {
	e.add("[")
	items := max(2, a.min)
	if a.max >= 0 {
		items = min(items, a.max)
	}
	for i := 0; i < items && !e.full(depth) && a.item(i).live; i++ {
		if i > 0 {
			e.add(", ")
		}
		if kinds := e.kinds(a.item(i), depth); len(kinds) > 0 {
			kinds[i%len(kinds)]()
		}
	}
	e.add("]")
}

// scalar adds a text that t reads, mostly its shortest.
func (e *example) scalar(t terminal) {
	if n, ok := t.(*number); ok && !n.whole {
		e.add("1.5")
		return
	}
	s := int32(0)
	for range 64 {
		if may, _ := t.end(s); may {
			return
		}
		i := slices.IndexFunc(likely, func(b byte) bool {
			to, ok := t.next(s, b)
			if ok {
				s = to
				e.text = append(e.text, b)
			}
			return ok
		})
		if i < 0 {
			return
		}
	}
}

// likely are bytes in the order that scalar tries them.
var likely = func() (out []byte) {
	out = []byte(`"1a0-:.@TZ`)
	for b := byte(' '); b < 0x7f; b++ {
		out = append(out, b)
	}
	return out
}()
