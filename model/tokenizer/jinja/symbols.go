package jinja

import "maps"

// Jinja2 decides before it runs a template which block holds each name. The rules
// have corners: a name that a loop's body sets after an inner loop has read it is
// undefined there, whatever it is outside. So symbols are found by the same
// passes, block by block.

// A loadKind says where a block's name comes from when the block is entered.
type loadKind int

const (
	loadNothing  loadKind = iota // it is missing until it is set
	loadVariable                 // of the context, by name
	loadOuter                    // what an outer block has then
	loadParam                    // set by whoever enters
)

type load struct {
	kind  loadKind
	outer *symbols
}

// symbols are the names that a block holds.
type symbols struct {
	parent *symbols
	loads  map[string]load
	stores map[string]bool
}

func newSymbols(parent *symbols) *symbols {
	return &symbols{parent: parent, loads: map[string]load{}, stores: map[string]bool{}}
}

// find is the block that holds id, or nil.
func (s *symbols) find(id string) *symbols {
	for ; s != nil; s = s.parent {
		if _, ok := s.loads[id]; ok {
			return s
		}
	}
	return nil
}

func (s *symbols) read(id string) {
	if s.find(id) == nil {
		s.loads[id] = load{kind: loadVariable}
	}
}

func (s *symbols) write(id string) {
	s.stores[id] = true
	if _, ok := s.loads[id]; !ok {
		if outer := s.parent.find(id); outer != nil {
			s.loads[id] = load{loadOuter, outer}
		} else {
			s.loads[id] = load{}
		}
	}
}

func (s *symbols) param(id string) {
	s.stores[id] = true
	s.loads[id] = load{kind: loadParam}
}

func (s *symbols) copy() *symbols {
	return &symbols{s.parent, maps.Clone(s.loads), maps.Clone(s.stores)}
}

// join takes over what branches of an if have found. A name that only branches set
// may come from outside, where none of them was taken.
func (s *symbols) join(branches []*symbols) {
	stored := map[string]bool{}
	for _, b := range branches {
		for id := range b.stores {
			if !s.stores[id] {
				stored[id] = true
			}
		}
	}
	for _, b := range branches {
		maps.Copy(s.loads, b.loads)
		maps.Copy(s.stores, b.stores)
	}
	for id := range stored {
		if outer := s.parent.find(id); outer != nil {
			s.loads[id] = load{loadOuter, outer}
		} else {
			s.loads[id] = load{kind: loadVariable}
		}
	}
}

// expr notes the names of an expression. As a target its names are written, or as
// the target of a loop or a with, parameters.
func (s *symbols) expr(e expr) {
	switch e := e.(type) {
	case nil:
	case *name:
		s.read(e.id)
	default:
		for _, c := range e.children() {
			s.expr(c)
		}
	}
}

func (s *symbols) target(e expr, param bool) {
	switch e := e.(type) {
	case *name:
		if param {
			s.param(e.id)
		} else {
			s.write(e.id)
		}
	case *nsRef:
		s.read(e.on.id)
	case *tupleExpr:
		for _, item := range e.items {
			s.target(item, param)
		}
	}
}

// body notes the names of a block, other than those in blocks within it.
func (s *symbols) body(list []statement) {
	for _, st := range list {
		s.statement(st)
	}
}

func (s *symbols) statement(st statement) {
	switch st := st.(type) {
	case *outputStmt:
		s.expr(st.of)
	case *ifStmt:
		s.branches(st.tests, st.bodies, st.other)
	case *forStmt:
		s.expr(st.over)
	case *setStmt:
		s.expr(st.value)
		s.target(st.target, false)
	case *setBlock:
		s.target(st.target, false)
	case *macroStmt:
		s.write(st.target.id)
	case *callBlock:
		if st.call != nil {
			s.expr(st.call)
		}
	case *filterBlock:
		s.expr(st.filter)
	case *withStmt:
		for _, v := range st.values {
			s.expr(v)
		}
	}
}

// branches: the tests of elifs are read in a branch of their own, all in one.
func (s *symbols) branches(tests []expr, bodies [][]statement, other []statement) {
	s.expr(tests[0])
	first, others, last := s.copy(), s.copy(), s.copy()
	first.body(bodies[0])
	for i := range tests[1:] {
		others.branches(tests[i+1:i+2], bodies[i+1:i+2], nil)
	}
	last.body(other)
	s.join([]*symbols{first, others, last})
}

func (s *symbols) macro(m *macroDef) {
	for _, p := range m.params {
		s.param(p.id)
	}
	for _, d := range m.defaults {
		s.expr(d)
	}
	s.body(m.body)
}
