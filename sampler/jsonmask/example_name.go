package jsonmask

// nameOf returns a string that schemas allow, as short as is found.
func (d *document) nameOf(together all) (string, bool) {
	alternatives, err := d.flatten(together)
	if err != nil {
		return "", false
	}
	c := newCompiler(d, Options{})
	v := &value{c: c}
	for _, f := range alternatives {
		if f.types &= typeString; f.types == 0 {
			continue
		}
		if err := c.alternative(v, f, ""); err != nil {
			return "", false
		}
	}
	for _, x := range v.scalars {
		if t, ok := x.(*text); ok {
			if name, ok := t.shortest(); ok {
				return name, true
			}
		}
	}
	return "", false
}

// shortest returns a string as short as any, if one is found among maxAhead states.
func (t *text) shortest() (string, bool) {
	t.lookUp()
	type begun struct {
		at   textState
		text string
	}
	met := map[textState]bool{t.start(): true}
	for todo := []begun{{t.start(), ""}}; len(todo) > 0 && len(met) < maxAhead; todo = todo[1:] {
		if t.mayClose(todo[0].at) {
			return todo[0].text, true
		}
		for _, r := range t.kinds {
			if to, ok := t.char(todo[0].at, r); ok && !met[to] {
				met[to] = true
				todo = append(todo, begun{to, todo[0].text + string(r)})
			}
		}
	}
	return "", false
}
