package jinja

// A resolver finds the block that holds each name, and refuses what Jinja2 refuses
// when it compiles.
type resolver struct {
	syms *symbols
	soft bool // in an if, where filters may be unknown until they are asked for
	loop bool // break and continue have a loop here
}

func resolve(body []statement) *symbols {
	syms := newSymbols(nil)
	syms.body(body)
	resolver{syms: syms}.body(body)
	return syms
}

// inner is a block within, its names noted by note.
func (r resolver) inner(note func(*symbols)) (resolver, *symbols) {
	syms := newSymbols(r.syms)
	note(syms)
	return resolver{syms: syms, loop: r.loop}, syms
}

func (r resolver) expr(list ...expr) {
	for _, e := range list {
		switch e := e.(type) {
		case nil:
			continue
		case *name:
			if e.at = r.syms.find(e.id); e.at == nil {
				fail("the name %s is not known here", e.id)
			}
		case *filter:
			e.fn = r.builtin(filters, "filter", e.name)
		case *test:
			e.fn = r.builtin(tests, "test", e.name)
		case *condExpr:
			soft := r
			soft.soft = true
			soft.expr(e.children()...)
			continue
		}
		r.expr(e.children()...)
	}
}

func (r resolver) builtin(of map[string]*builtin, kind, name string) *builtin {
	b := of[name]
	if b == nil && !r.soft {
		fail("no %s named %q", kind, name)
	}
	return b
}

func (r resolver) body(list []statement) {
	for _, st := range list {
		r.statement(st)
	}
}

func (r resolver) statement(st statement) {
	switch st := st.(type) {
	case *outputStmt:
		r.expr(st.of)
		foldSlices(st.of, true)
	case *ifStmt:
		r.soft = true
		r.expr(st.tests...)
		for _, b := range st.bodies {
			r.body(b)
		}
		r.body(st.other)
	case *forStmt:
		r.forStmt(st)
	case *setStmt:
		r.expr(st.target, st.value)
		foldSlices(st.value, false)
	case *setBlock:
		r.expr(st.target)
		in, syms := r.inner(func(s *symbols) { s.body(st.body) })
		st.syms = syms
		in.body(st.body)
		if st.filter != nil {
			in.expr(st.filter)
		}
	case *macroStmt:
		st.target.at = r.syms.find(st.target.id)
		r.macro(st.macroDef)
	case *callBlock:
		r.macro(st.macroDef)
		if st.call != nil {
			r.expr(st.call)
		}
	case *filterBlock:
		in, syms := r.inner(func(s *symbols) { s.expr(st.filter); s.body(st.body) })
		st.syms = syms
		in.body(st.body)
		in.expr(st.filter)
	case *withStmt:
		r.with(st)
	case *scopeStmt:
		in, syms := r.inner(func(s *symbols) { s.body(st.body) })
		st.syms = syms
		in.body(st.body)
	case *leaveStmt:
		if !r.loop {
			fail("break or continue outside a loop")
		}
	}
}

func (r resolver) forStmt(st *forStmt) {
	checkLoopName(st)
	r.expr(st.over)
	r.loop = r.loop && !st.recursive
	body, bodySyms := r.inner(func(s *symbols) {
		if st.recursive || uses(st.body, "loop") {
			s.param("loop")
		}
		s.target(st.target, true)
		s.body(st.body)
	})
	other, otherSyms := r.inner(func(s *symbols) { s.body(st.other) })
	test, testSyms := r.inner(func(s *symbols) { s.target(st.target, true); s.expr(st.test) })
	st.bodySyms, st.otherSyms, st.testSyms = bodySyms, otherSyms, testSyms
	body.loop = true
	body.expr(st.target)
	body.body(st.body)
	other.body(st.other)
	if st.test != nil {
		test.expr(st.test)
	}
}

// checkLoopName refuses what writes the variable "loop" anywhere in a loop.
func checkLoopName(st *forStmt) {
	var refuse func(e expr)
	refuse = func(e expr) {
		if n, ok := e.(*name); ok && n.id == "loop" {
			fail("loop cannot be assigned to within a loop")
		}
		if t, ok := e.(*tupleExpr); ok {
			for _, item := range t.items {
				refuse(item)
			}
		}
	}
	refuse(st.target)
	everyStatement(st.body, func(in statement) { refuseTarget(in, refuse) })
	everyStatement(st.other, func(in statement) { refuseTarget(in, refuse) })
}

func refuseTarget(st statement, refuse func(expr)) {
	switch st := st.(type) {
	case *forStmt:
		refuse(st.target)
	case *setStmt:
		refuse(st.target)
	case *setBlock:
		refuse(st.target)
	}
}

func (r resolver) with(st *withStmt) {
	r.expr(st.values...)
	in, syms := r.inner(func(s *symbols) {
		for _, t := range st.targets {
			s.target(t, true)
		}
		s.body(st.body)
	})
	st.syms = syms
	in.expr(st.targets...)
	in.body(st.body)
}
