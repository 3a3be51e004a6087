package jinja

// uses reports whether a body reads id before anything in it declares id, looking
// into all blocks within, as Jinja2 decides whether a macro is handed a caller.
func uses(body []statement, id string) bool {
	u := &use{id: id}
	u.body(body)
	return u.found
}

type use struct {
	id          string
	found, over bool
}

func (u *use) expr(list ...expr) {
	for _, e := range list {
		if e == nil || u.over {
			continue
		}
		if n, ok := e.(*name); ok && n.id == u.id {
			u.found, u.over = true, true
			return
		}
		u.expr(e.children()...)
	}
}

// target declares names; attributes of namespaces are neither read nor set here.
func (u *use) target(e expr) {
	switch e := e.(type) {
	case *name:
		u.over = u.over || e.id == u.id
	case *tupleExpr:
		for _, item := range e.items {
			u.target(item)
		}
	}
}

func (u *use) body(list []statement) {
	for _, st := range list {
		u.statement(st)
	}
}

func (u *use) macro(m *macroDef) {
	for _, p := range m.params {
		u.target(p)
	}
	u.expr(m.defaults...)
	u.body(m.body)
}

func (u *use) statement(st statement) {
	switch st := st.(type) {
	case *outputStmt:
		u.expr(st.of)
	case *ifStmt:
		u.expr(st.tests[0])
		u.body(st.bodies[0])
		for i := range st.tests[1:] {
			u.expr(st.tests[i+1])
			u.body(st.bodies[i+1])
		}
		u.body(st.other)
	case *forStmt:
		u.target(st.target)
		u.expr(st.over)
		u.body(st.body)
		u.body(st.other)
		u.expr(st.test)
	case *setStmt:
		u.target(st.target)
		u.expr(st.value)
	case *setBlock:
		u.target(st.target)
		if st.filter != nil {
			u.expr(st.filter)
		}
		u.body(st.body)
	case *macroStmt:
		u.macro(st.macroDef)
	case *callBlock:
		if st.call != nil {
			u.expr(st.call)
		}
		u.macro(st.macroDef)
	case *filterBlock:
		u.body(st.body)
		u.expr(st.filter)
	case *withStmt:
		for _, t := range st.targets {
			u.target(t)
		}
		u.expr(st.values...)
		u.body(st.body)
	case *scopeStmt:
		u.body(st.body)
	}
}
