package jinja

import "strings"

func execAll(body []statement, r *run, s *scope) signal {
	for _, st := range body {
		r.step(1)
		if sig := st.exec(r, s); sig != goOn {
			return sig
		}
	}
	return goOn
}

// capture runs a body and gives what it wrote.
func (r *run) capture(body []statement, s *scope) (string, signal) {
	return r.captured(func() signal { return execAll(body, r, s) })
}

func (r *run) captured(do func() signal) (string, signal) {
	out := r.out
	defer func() { r.out = out }()
	r.out = &strings.Builder{}
	sig := do()
	return r.out.String(), sig
}

func (r *run) print(s string) {
	r.make(len(s))
	r.out.WriteString(s)
}

func (st *dataStmt) exec(r *run, s *scope) signal {
	r.print(st.text)
	return goOn
}

func (st *outputStmt) exec(r *run, s *scope) signal {
	r.print(r.str(st.of.eval(r, s)))
	return goOn
}

func (st *ifStmt) exec(r *run, s *scope) signal {
	for i, test := range st.tests {
		if truth(test.eval(r, s)) {
			return execAll(st.bodies[i], r, s)
		}
	}
	return execAll(st.other, r, s)
}

func (st *setStmt) exec(r *run, s *scope) signal {
	v := st.value.eval(r, s)
	checkNamespaces(s, st.target)
	r.assign(s, st.target, v)
	return goOn
}

func checkNamespaces(s *scope, target expr) {
	switch t := target.(type) {
	case *nsRef:
		s.namespace(t)
	case *tupleExpr:
		for _, item := range t.items {
			checkNamespaces(s, item)
		}
	}
}

func (st *setBlock) exec(r *run, s *scope) signal {
	in := r.open(st.syms, s)
	text, sig := r.capture(st.body, in)
	if sig != goOn {
		return sig
	}
	var v Value = text
	if st.filter != nil {
		v = r.filtered(st.filter, in, text)
	}
	r.assign(s, st.target, v)
	return goOn
}

// filtered sends a block's text through its filters.
func (r *run) filtered(f *filter, s *scope, text string) Value {
	var in Value = text
	if f.of != nil {
		in = r.filtered(f.of.(*filter), s, text)
	}
	return f.apply(r, s, in)
}

func (st *filterBlock) exec(r *run, s *scope) signal {
	in := r.open(st.syms, s)
	text, sig := r.capture(st.body, in)
	if sig == goOn {
		r.joinIn("a filter block", r.filtered(st.filter, in, text))
	}
	return sig
}

func (st *withStmt) exec(r *run, s *scope) signal {
	in := r.open(st.syms, s)
	for i, t := range st.targets {
		r.assign(in, t, st.values[i].eval(r, s))
	}
	return execAll(st.body, r, in)
}

func (st *scopeStmt) exec(r *run, s *scope) signal {
	return execAll(st.body, r, r.open(st.syms, s))
}

func (st *leaveStmt) exec(*run, *scope) signal { return st.signal }

func (st *macroStmt) exec(r *run, s *scope) signal {
	r.assign(s, st.target, &macro{st.macroDef, s})
	return goOn
}

func (st *callBlock) exec(r *run, s *scope) signal {
	caller := &macro{st.macroDef, s}
	if st.call == nil {
		r.print(caller.call(r, nil, nil).(string))
		return goOn
	}
	of := st.call.of.eval(r, s)
	pos, keys := st.call.arguments.eval(r, s)
	if _, twice := (args{keys: keys}).key("caller"); twice {
		fail("a call block gives caller itself")
	}
	r.joinIn("a call block", r.call(of, pos, append(keys, keyed{"caller", caller})))
	return goOn
}

// joinIn writes what a block gives, which has to be a text.
func (r *run) joinIn(what string, v Value) {
	s, ok := asText(v)
	if !ok {
		fail("%s gives a %s, want a text", what, typeName(v))
	}
	r.print(s)
}
