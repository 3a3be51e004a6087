package jinja

// A macro is a macroDef with the block that it was met in.
type macro struct {
	*macroDef
	scope *scope
}

func (m *macro) String() string {
	if m.name == "" {
		return "<Macro anonymous>"
	}
	return "<Macro " + quote(m.name) + ">"
}

func (m *macro) has(id string) bool {
	for _, p := range m.params {
		if p.id == id {
			return true
		}
	}
	return false
}

func (m *macro) property(id string) (Value, bool) {
	var params Tuple
	for _, p := range m.params {
		params = append(params, p.id)
	}
	var name Value
	if m.name != "" {
		name = m.name
	}
	v, ok := map[string]Value{
		"name": name, "arguments": params, "caller": m.caller || uses(m.body, "caller"), "catch_kwargs": m.kwargs,
		"catch_varargs": m.varargs, "explicit_caller": m.has("caller"),
	}[id]
	return v, ok
}

// call binds the arguments, runs the body and gives what it wrote.
func (m *macro) call(r *run, pos []Value, keys []keyed) Value {
	defer r.enter("macro " + m.name)()
	s := r.open(m.syms, m.scope)
	keys = m.bind(s, pos, keys)
	if m.caller {
		s.vars["caller"] = missing("No caller defined")
		for i, k := range keys {
			if k.name == "caller" {
				if k.value != nil {
					s.vars["caller"] = k.value
				}
				keys = append(keys[:i:i], keys[i+1:]...)
				break
			}
		}
	}
	if m.kwargs {
		s.vars["kwargs"] = dictOf(keys)
	} else if len(keys) > 0 {
		fail("macro %s takes no argument %s", m.name, keys[0].name)
	}
	rest := pos[min(len(pos), len(m.params)):]
	if m.varargs {
		s.vars["varargs"] = Tuple(rest)
	} else if len(rest) > 0 {
		fail("macro %s takes at most %d arguments", m.name, len(m.params))
	}
	m.defaultsOf(r, s)
	text, _ := r.capture(m.body, s)
	return text
}

// bind sets the parameters, and gives the named arguments that none of them took.
func (m *macro) bind(s *scope, pos []Value, keys []keyed) []keyed {
	taken := map[string]bool{}
	for i, p := range m.params {
		if i < len(pos) {
			s.vars[p.id] = pos[i]
			continue
		}
		if v, ok := (args{keys: keys}).key(p.id); ok {
			s.vars[p.id], taken[p.id] = v, true
		}
	}
	var left []keyed
	for _, k := range keys {
		if !taken[k.name] {
			left = append(left, k)
		}
	}
	return left
}

// defaultsOf sets what was not given; a default may use the parameters before it.
func (m *macro) defaultsOf(r *run, s *scope) {
	for i, p := range m.params {
		if _, ok := s.vars[p.id].(absent); !ok {
			continue
		}
		if d := i - (len(m.params) - len(m.defaults)); d >= 0 {
			s.vars[p.id] = m.defaults[d].eval(r, s)
		} else {
			s.vars[p.id] = missing("parameter " + quote(p.id) + " was not provided")
		}
	}
}
