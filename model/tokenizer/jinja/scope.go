package jinja

// A scope is a block that is being run, and holds what its symbols name.
type scope struct {
	syms   *symbols
	vars   map[string]Value
	parent *scope
}

// absent stands where a name of a block has no value yet.
type absent struct{}

// open enters a block: names that come from elsewhere are fetched now.
func (r *run) open(syms *symbols, parent *scope) *scope {
	s := &scope{syms, make(map[string]Value, len(syms.loads)), parent}
	for id, l := range syms.loads {
		switch l.kind {
		case loadVariable:
			s.vars[id] = r.variable(id)
		case loadOuter:
			s.vars[id] = parent.at(l.outer).vars[id]
		default:
			s.vars[id] = absent{}
		}
	}
	r.step(1 + len(syms.loads))
	return s
}

func (s *scope) at(syms *symbols) *scope {
	for s.syms != syms {
		s = s.parent
	}
	return s
}

// variable is what the caller has given, or every template has. What the outermost
// level sets is in the symbols of all blocks that could ask for it.
func (r *run) variable(id string) Value {
	for _, m := range []map[string]Value{r.given, globals} {
		if v, ok := m[id]; ok {
			return v
		}
	}
	return absent{}
}

func (e *name) eval(r *run, s *scope) Value {
	r.notConstant()
	v := s.at(e.at).vars[e.id]
	if _, ok := v.(absent); ok {
		return missing(quote(e.id) + " is undefined")
	}
	return v
}

// assign sets a target in the block that is being run.
func (r *run) assign(s *scope, target expr, v Value) {
	switch t := target.(type) {
	case *name:
		s.vars[t.id] = v
	case *nsRef:
		s.namespace(t).attrs.put(t.attr, v)
	case *tupleExpr:
		items := r.items(v)
		if len(items) != len(t.items) {
			fail("%d values for %d names", len(items), len(t.items))
		}
		for i, item := range t.items {
			r.assign(s, item, items[i])
		}
	}
}

func (s *scope) namespace(t *nsRef) *namespace {
	ns, ok := s.at(t.on.at).vars[t.on.id].(*namespace)
	if !ok {
		fail("%s.%s cannot be set: %s is no namespace", t.on.id, t.attr, t.on.id)
	}
	return ns
}
