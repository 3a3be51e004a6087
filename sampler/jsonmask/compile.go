package jsonmask

import (
	"slices"
	"strings"
)

// A value is a symbol: what all of some schemas allow.
type value struct {
	c       *compiler
	scalars []terminal
	objects []*object
	lists   []liveList
	// live says that some finite text is such a value.
	live bool
}

func (v *value) expand(_ place, to func(parts ...part)) {
	for _, t := range v.scalars {
		to(part{term: t})
	}
	for _, o := range v.objects {
		if o.live {
			to(part{term: o.c.open}, part{term: o.c.space}, part{sym: &o.first})
		}
	}
	for _, a := range v.lists {
		if a.live {
			to(part{term: v.c.openList}, part{term: v.c.space}, part{sym: a.begin()})
		}
	}
}

// A compiler turns schemas into symbols, each set of schemas once.
type compiler struct {
	doc     *document
	options Options
	values  map[string]*value
	todo    []func() error
	room    int                   // bytes that texts are shorter than, where known; 0 is no end
	parted  map[terminal][]choice // the classes of terminals whose values have to differ
	lists   *int                  // lists met so far within the values of lists

	open, shut, openList, shutList, comma, colon terminal
	space                                        terminal
	number, integer                              terminal
	anyText                                      *text
	null, boolean                                terminal
}

func newCompiler(doc *document, o Options) *compiler {
	return &compiler{doc: doc, options: o, values: map[string]*value{}, lists: new(int), parted: map[terminal][]choice{},
		open: newLiterals("{"), shut: newLiterals("}"), openList: newLiterals("["), shutList: newLiterals("]"),
		comma: newLiterals(","), colon: newLiterals(":"), space: &space{int32(o.Blanks)}, number: &number{}, integer: &number{whole: true, bare: doc.speaks(draft4)},
		anyText: newText(0, -1, nil, nil), null: newLiterals("null"), boolean: newLiterals("true", "false")}
}

func compile(doc *document, o Options) (*value, error) {
	c := newCompiler(doc, o)
	root := c.value(all{{"", doc.root}})
	if err := c.work(); err != nil {
		return nil, err
	}
	c.liveness()
	return root, nil
}

// work compiles what is still to be, and what that asks for.
func (c *compiler) work() error {
	for len(c.todo) > 0 {
		next := c.todo[len(c.todo)-1]
		c.todo = c.todo[:len(c.todo)-1]
		if err := next(); err != nil {
			return err
		}
	}
	return nil
}

// value returns the symbol of some schemas together, compiled later: schemas may
// contain themselves.
func (c *compiler) value(together all) *value {
	var at []string
	for _, s := range together {
		at = append(at, s.at)
	}
	slices.Sort(at)
	key := strings.Join(slices.Compact(at), "\x00")
	if len(together) == 0 {
		key = "\x01anything"
	}
	if v, ok := c.values[key]; ok {
		return v
	}
	v := &value{c: c}
	c.values[key] = v
	c.todo = append(c.todo, func() error { return c.fill(v, together) })
	return v
}

func (c *compiler) fill(v *value, together all) error {
	alternatives, err := c.doc.flatten(together)
	if err != nil {
		return err
	}
	for _, f := range alternatives {
		at := ""
		if len(together) > 0 {
			at = together[0].at
		}
		err := c.alternative(v, f, at)
		if no, ok := err.(*UnsupportedError); ok && f.spare {
			c.doc.narrows(no)
		} else if err != nil {
			return err
		}
	}
	return nil
}

// alternative adds what f allows to v.
func (c *compiler) alternative(v *value, f flat, at string) error {
	if f.limited {
		return c.listed(v, f, at)
	}
	if f.types&typeNull != 0 {
		v.scalars = append(v.scalars, c.null)
	}
	if f.types&typeBoolean != 0 {
		v.scalars = append(v.scalars, c.boolean)
	}
	if f.types&typeNumber != 0 {
		if n := c.numbers(f); n != nil {
			v.scalars = append(v.scalars, n)
		}
	}
	if f.types&typeString != 0 && (f.maxLen < 0 || f.minLen <= f.maxLen) {
		t, err := c.text(f, at)
		if err != nil {
			return err
		}
		if t.possible(t.start()) {
			v.scalars = append(v.scalars, t)
		}
	}
	if f.types&typeArray != 0 && (f.maxItems < 0 || f.minItems <= f.maxItems) {
		a, err := c.list(f, at)
		if err != nil {
			return err
		}
		v.lists = append(v.lists, liveList{list: a})
	}
	if f.types&typeObject != 0 && (f.maxProps < 0 || f.minProps <= f.maxProps) {
		o, err := c.object(f, at)
		if err != nil {
			return err
		}
		v.objects = append(v.objects, o)
	}
	return nil
}

// liveness finds the values that some finite text is: the least fixed point.
func (c *compiler) liveness() {
	for changed := true; changed; {
		changed = false
		for _, v := range c.values {
			live := len(v.scalars) > 0
			for _, o := range v.objects {
				o.live = o.live || o.possible()
				live = live || o.live
			}
			for i := range v.lists {
				a := &v.lists[i]
				a.live = a.settle()
				live = live || a.live
			}
			if live != v.live {
				v.live, changed = live, true
			}
		}
	}
}
