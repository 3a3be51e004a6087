package jinja

func (r resolver) macro(m *macroDef) {
	in, syms := r.inner(func(s *symbols) { s.macro(m) })
	m.syms, in.loop = syms, false
	special := func(id string) bool {
		if !uses(m.body, id) {
			return false
		}
		for i, p := range m.params {
			if p.id == id {
				if id == "caller" && i < len(m.params)-len(m.defaults) {
					fail("the parameter caller wants a default")
				}
				return false
			}
		}
		syms.param(id)
		return true
	}
	m.caller, m.kwargs, m.varargs = special("caller"), special("kwargs"), special("varargs")
	for _, p := range m.params {
		in.expr(p)
	}
	in.expr(m.defaults...)
	in.body(m.body)
}
