package jinja

import "strconv"

// A loop is the variable of that name within a for.
type loop struct {
	r       *run
	of      Value // what is walked
	it      *iterator
	index0  int
	before  Value
	current Value
	after   []Value // what last and nextitem have looked ahead
	size    int     // once it is known, else -1
	changes []Value // what changed was last asked of; nil: not yet
	depth   int
	stmt    *forStmt // of a recursive one
	scope   *scope
}

func newLoop(r *run, of Value, depth int) *loop {
	return &loop{r: r, of: of, it: r.iterate(of), index0: -1, before: missing("there is no previous item"), current: missing("there is no previous item"), size: -1, depth: depth}
}

func (l *loop) String() string {
	return "<LoopContext " + strconv.Itoa(l.index0+1) + "/" + strconv.Itoa(l.length()) + ">"
}

// next goes on to the next item.
func (l *loop) next() bool {
	if !l.peek() {
		return false
	}
	l.index0++
	l.before, l.current, l.after = l.current, l.after[0], l.after[1:]
	return true
}

func (l *loop) peek() bool {
	if len(l.after) == 0 {
		v, ok := l.it.next()
		if !ok {
			return false
		}
		l.after = append(l.after, v)
	}
	return true
}

// length reads all that is left of an iterator, which has no length of its own.
func (l *loop) length() int {
	if l.size < 0 {
		n, ok := l.r.size(l.of)
		if !ok {
			for {
				v, more := l.it.next()
				if !more {
					break
				}
				l.r.grow(1)
				l.after = append(l.after, v)
			}
			n = l.index0 + 1 + len(l.after)
		}
		l.size = n
	}
	return l.size
}

func (l *loop) property(id string) (Value, bool) {
	switch id {
	case "index":
		return l.index0 + 1, true
	case "index0":
		return l.index0, true
	case "revindex":
		return l.length() - l.index0, true
	case "revindex0":
		return l.length() - l.index0 - 1, true
	case "first":
		return l.index0 == 0, true
	case "last":
		return !l.peek(), true
	case "length":
		return l.length(), true
	case "depth":
		return l.depth + 1, true
	case "depth0":
		return l.depth, true
	case "previtem":
		return l.before, true
	case "nextitem":
		if !l.peek() {
			return missing("there is no next item"), true
		}
		return l.after[0], true
	}
	return nil, false
}

var loopMethods = map[string]*builtin{
	"cycle": def("*", func(r *run, self Value, a args) Value {
		a.onlyKeys("cycle")
		if len(a.pos) == 0 {
			return fail("cycle without items")
		}
		return a.pos[self.(*loop).index0%len(a.pos)]
	}),
	"changed": def("*", func(r *run, self Value, a args) Value {
		a.onlyKeys("changed")
		l := self.(*loop)
		if l.changes != nil && r.equalItems(l.changes, a.pos) {
			return false
		}
		l.changes = append([]Value{}, a.pos...)
		return true
	}),
}

// recurse walks something else by the same loop.
func (l *loop) recurse(r *run, pos []Value, keys []keyed) Value {
	a := def("iterable", nil).bind("loop", pos, keys)
	if l.stmt == nil {
		return fail("the loop is not recursive, so it cannot be called")
	}
	defer r.enter("loop")()
	text, _ := r.captured(func() signal { return l.stmt.walk(r, l.scope, a.bound[0], l.depth+1) })
	return text
}

func (st *forStmt) exec(r *run, s *scope) signal {
	over := st.over.eval(r, s)
	if !st.recursive {
		return st.walk(r, s, over, 0)
	}
	text, _ := r.captured(func() signal { return st.walk(r, s, over, 0) })
	r.print(text)
	return goOn
}

func (st *forStmt) walk(r *run, s *scope, over Value, depth int) signal {
	if st.test != nil {
		over = st.chosen(r, s, over)
	}
	l := newLoop(r, over, depth)
	if st.recursive {
		l.stmt, l.scope = st, s
	}
	finished := false // a body ran to its end
	for l.next() {
		in := r.open(st.bodySyms, s)
		r.assign(in, st.target, l.current)
		if st.bodySyms.loads["loop"].kind == loadParam {
			in.vars["loop"] = l
		}
		switch execAll(st.body, r, in) {
		case breakLoop:
			if finished {
				return goOn
			}
			return st.otherwise(r, s)
		case goOn:
			finished = true
		}
	}
	if finished {
		return goOn
	}
	return st.otherwise(r, s)
}

// otherwise runs the else of a loop, which is for one none of whose bodies came to its
// end.
func (st *forStmt) otherwise(r *run, s *scope) signal {
	if len(st.other) == 0 {
		return goOn
	}
	return execAll(st.other, r, r.open(st.otherSyms, s))
}

// chosen are the items for which the loop's test holds.
func (st *forStmt) chosen(r *run, s *scope, over Value) Value {
	var in *scope
	return r.kept(r.iterate(over), func(item Value) bool {
		if in == nil {
			in = r.open(st.testSyms, s)
		}
		r.assign(in, st.target, item)
		return truth(st.test.eval(r, in))
	})
}
