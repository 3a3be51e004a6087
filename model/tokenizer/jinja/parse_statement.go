package jinja

// statement reads from a tag's first word on.
func (p *parser) statement() []statement {
	defer p.deeper()()
	if p.cur().kind != tokName {
		p.fail("got %s, want a tag's name", p.cur())
	}
	word := p.next().text
	read, ok := map[string]func() statement{
		"if": p.ifStmt, "for": p.forStmt, "set": p.setStmt, "macro": p.macro, "call": p.callBlock, "filter": p.filterBlock,
		"with": p.with, "autoescape": p.autoescape, "generation": p.generation,
		"break":    func() statement { return &leaveStmt{breakLoop} },
		"continue": func() statement { return &leaveStmt{continueLoop} },
	}[word]
	switch {
	case word == "print":
		return p.print()
	case !ok:
		p.fail("no tag %q here", word)
	}
	return []statement{read()}
}

func (p *parser) print() []statement {
	var all []statement
	for p.cur().kind != tokBlockEnd {
		if all != nil {
			p.expect(",")
		}
		all = append(all, &outputStmt{p.expression()})
	}
	return all
}

func (p *parser) ifStmt() statement {
	s := &ifStmt{}
	for {
		s.tests = append(s.tests, p.tuple(tupleRules{}))
		s.bodies = append(s.bodies, p.block("elif", "else", "endif"))
		switch p.next().text {
		case "else":
			s.other = p.wholeBlock("endif")
			return s
		case "endif":
			return s
		}
	}
}

func (p *parser) forStmt() statement {
	s := &forStmt{target: p.target(tupleRules{})}
	p.expectWord("in")
	s.over = p.tuple(tupleRules{})
	if p.skipWord("if") {
		s.test = p.expression()
	}
	s.recursive = p.skipWord("recursive")
	s.body = p.block("endfor", "else")
	if p.next().text == "else" {
		s.other = p.wholeBlock("endfor")
	}
	return s
}

func (p *parser) setStmt() statement {
	target := p.target(tupleRules{namespace: true})
	if p.skip("=") {
		return &setStmt{target: target, value: p.tuple(tupleRules{cond: true})}
	}
	s := &setBlock{target: target}
	if f, ok := p.filters(nil).(*filter); ok {
		s.filter = f
	}
	s.body = p.wholeBlock("endset")
	return s
}

func (p *parser) macro() statement {
	target := p.nameTarget()
	m := &macroDef{name: target.id}
	p.signature(m)
	m.body = p.wholeBlock("endmacro")
	return &macroStmt{macroDef: m, target: target}
}

func (p *parser) signature(m *macroDef) {
	p.expect("(")
	for p.cur().kind != ")" {
		if m.params != nil {
			p.expect(",")
		}
		n := p.nameTarget()
		if p.skip("=") {
			m.defaults = append(m.defaults, p.expression())
		} else if m.defaults != nil {
			p.fail("parameter %s without a default follows one with a default", n.id)
		}
		for _, before := range m.params {
			if before.id == n.id {
				p.fail("two parameters %s", n.id)
			}
		}
		m.params = append(m.params, n)
	}
	p.next()
}

func (p *parser) callBlock() statement {
	s := &callBlock{macroDef: &macroDef{}}
	if p.cur().kind == "(" {
		p.signature(s.macroDef)
	}
	call, ok := p.expression().(*call)
	if !ok {
		p.fail("a call block without a call")
	}
	s.call = call
	s.body = p.wholeBlock("endcall")
	return s
}

func (p *parser) generation() statement {
	return &callBlock{macroDef: &macroDef{body: p.wholeBlock("endgeneration")}}
}

func (p *parser) filterBlock() statement {
	s := &filterBlock{filter: p.filter(nil)}
	for p.skip("|") {
		s.filter = p.filter(s.filter)
	}
	s.body = p.wholeBlock("endfilter")
	return s
}

func (p *parser) with() statement {
	s := &withStmt{}
	for p.cur().kind != tokBlockEnd {
		if s.targets != nil {
			p.expect(",")
		}
		s.targets = append(s.targets, p.target(tupleRules{}))
		p.expect("=")
		s.values = append(s.values, p.expression())
	}
	s.body = p.wholeBlock("endwith")
	return s
}

// autoescape is taken only where it asks for what is so anyway.
func (p *parser) autoescape() statement {
	if c, ok := p.expression().(*constant); !ok || c.value != false {
		p.fail("autoescape is not supported, other than autoescape false")
	}
	return &scopeStmt{body: p.wholeBlock("endautoescape")}
}
