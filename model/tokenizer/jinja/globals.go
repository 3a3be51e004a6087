package jinja

// globals are what every template has: Jinja2's, but for lipsum, whose text is another
// each time, and transformers' two.
var globals map[string]Value

func init() {
	globals = map[string]Value{}
	for name, b := range map[string]*builtin{
		"range":     def("-start -stop? -step?", rangeOf),
		"dict":      def("*", func(r *run, _ Value, a args) Value { return r.dict(a) }),
		"namespace": def("*", func(r *run, _ Value, a args) Value { return &namespace{r.dict(a)} }),
		"cycler":    def("*", newCycler),
		"joiner": def("sep?", func(r *run, _ Value, a args) Value {
			return &joiner{sep: a.or(0, ", ")}
		}),
		"raise_exception": def("message", func(r *run, _ Value, a args) Value { return fail("%s", r.str(a.bound[0])) }),
		"strftime_now":    def("format", func(r *run, _ Value, a args) Value { return r.text(strftime(r.now, a.text(0))) }),
	} {
		globals[name] = function{name: name, builtin: b}
	}
}

func rangeOf(r *run, _ Value, a args) Value {
	n := numbers{0, 0, 1, 0}
	if n.stop = a.int(0, 0); a.has[1] {
		n.start, n.stop, n.step = n.stop, a.int(1, 0), a.int(2, 1)
	}
	if n.step == 0 {
		return fail("a range with a step of 0")
	}
	if n.n = count(n.start, n.stop, n.step); n.n > mostRange || n.n < 0 {
		return fail("a range of more than %d numbers", mostRange)
	}
	return n
}

// dict makes a dictionary of a mapping or of pairs, and of named arguments.
func (r *run) dict(a args) *Dict {
	d := NewDict()
	switch len(a.pos) {
	case 0:
	case 1:
		switch of := must(a.pos[0]).(type) {
		case *Dict:
			r.grow(len(of.keys))
			d = of.copy()
		default:
			r.pairs(d, of)
		}
	default:
		fail("a dict of %d values, want one mapping", len(a.pos))
	}
	for _, k := range a.keys {
		d.put(k.name, k.value)
	}
	return d
}

func (r *run) pairs(d *Dict, of Value) {
	for _, item := range r.items(of) {
		pair := r.items(item)
		if len(pair) != 2 {
			fail("a dict of items that are no pairs")
		}
		r.walk(pair[0])
		d.put(pair[0], pair[1])
	}
}

// A cycler gives its items again and again.
type cycler struct {
	items Tuple
	pos   int
}

func newCycler(r *run, _ Value, a args) Value {
	a.onlyKeys("cycler")
	if len(a.pos) == 0 {
		return fail("a cycler without items")
	}
	return &cycler{items: a.pos}
}

func (c *cycler) current() Value { return c.items[c.pos] }

var cyclerMethods = map[string]*builtin{
	"next": def("", func(r *run, self Value, a args) Value {
		c := self.(*cycler)
		v := c.current()
		c.pos = (c.pos + 1) % len(c.items)
		return v
	}),
	"reset": def("", func(r *run, self Value, a args) Value {
		self.(*cycler).pos = 0
		return nil
	}),
}

// A joiner gives nothing the first time, and its separator from then on.
type joiner struct {
	sep  Value
	used bool
}

func (j *joiner) join() Value {
	if !j.used {
		j.used = true
		return ""
	}
	return j.sep
}
