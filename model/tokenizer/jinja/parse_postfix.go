package jinja

import "slices"

func (p *parser) list() expr {
	p.expect("[")
	e := &listExpr{}
	for p.cur().kind != "]" {
		if e.items != nil {
			p.expect(",")
		}
		if p.cur().kind == "]" {
			break
		}
		e.items = append(e.items, p.expression())
	}
	p.next()
	return e
}

func (p *parser) dict() expr {
	p.expect("{")
	e := &dictExpr{}
	for p.cur().kind != "}" {
		if e.keys != nil {
			p.expect(",")
		}
		if p.cur().kind == "}" {
			break
		}
		e.keys = append(e.keys, p.expression())
		p.expect(":")
		e.values = append(e.values, p.expression())
	}
	p.next()
	return e
}

func (p *parser) postfix(e expr) expr {
	for {
		switch p.cur().kind {
		case ".", "[":
			e = p.subscript(e)
		case "(":
			e = &call{e, p.arguments()}
		default:
			return e
		}
	}
}

func (p *parser) filterExpr(e expr) expr {
	for {
		switch t := p.cur(); {
		case t.kind == "|":
			e = p.filters(e)
		case t.is("is"):
			e = p.test(e)
		case t.kind == "(":
			e = &call{e, p.arguments()}
		default:
			return e
		}
	}
}

func (p *parser) subscript(of expr) expr {
	if p.next().kind == "." {
		t := p.next()
		switch t.kind {
		case tokName:
			return &getAttr{of, t.text}
		case tokInteger:
			return &getItem{of: of, at: &constant{t.num}}
		}
		p.fail("want a name or a number after the dot")
	}
	var at []expr
	for p.cur().kind != "]" {
		if at != nil {
			p.expect(",")
		}
		at = append(at, p.subscribed())
	}
	p.next()
	if len(at) == 1 {
		return &getItem{of: of, at: at[0]}
	}
	if slices.ContainsFunc(at, func(e expr) bool { _, ok := e.(*sliceExpr); return ok }) {
		p.fail("several slices in one pair of brackets")
	}
	return &getItem{of: of, at: &tupleExpr{at}}
}

func (p *parser) subscribed() expr {
	s := &sliceExpr{}
	if p.cur().kind != ":" {
		e := p.expression()
		if p.cur().kind != ":" {
			return e
		}
		s.start = e
	}
	p.next()
	ends := []string{"]", ","}
	if k := p.cur().kind; k != ":" && !slices.Contains(ends, k) {
		s.stop = p.expression()
	}
	if p.skip(":") && !slices.Contains(ends, p.cur().kind) {
		s.step = p.expression()
	}
	return s
}

func (p *parser) arguments() arguments {
	var a arguments
	p.expect("(")
	want := func(ok bool) {
		if !ok {
			p.fail("the arguments of a call stand in the wrong order")
		}
	}
	for first := true; p.cur().kind != ")"; first = false {
		if !first {
			p.expect(",")
			if p.cur().kind == ")" {
				break
			}
		}
		switch {
		case p.cur().kind == "*":
			want(a.dynPos == nil && a.dynKeys == nil)
			p.next()
			a.dynPos = p.expression()
		case p.cur().kind == "**":
			want(a.dynKeys == nil)
			p.next()
			a.dynKeys = p.expression()
		case p.cur().kind == tokName && p.look().kind == "=":
			want(a.dynKeys == nil)
			key := p.next().text
			if slices.Contains(a.names, key) {
				p.fail("argument %s is given twice", key)
			}
			p.next()
			a.names, a.values = append(a.names, key), append(a.values, p.expression())
		default:
			want(a.dynPos == nil && a.dynKeys == nil && a.names == nil)
			a.pos = append(a.pos, p.expression())
		}
	}
	p.next()
	return a
}

func (p *parser) dotted() string {
	s := p.expect(tokName).text
	for p.skip(".") {
		s += "." + p.expect(tokName).text
	}
	return s
}

func (p *parser) filters(e expr) expr {
	for p.skip("|") {
		e = p.filter(e)
	}
	return e
}

func (p *parser) filter(of expr) *filter {
	f := &filter{of: of, name: p.dotted()}
	if p.cur().kind == "(" {
		f.arguments = p.arguments()
	}
	return f
}

// test reads what follows "x is"; an argument may stand without brackets.
func (p *parser) test(of expr) expr {
	p.next()
	negated := p.skipWord("not")
	t := &test{of: of, name: p.dotted()}
	switch c := p.cur(); {
	case c.kind == "(":
		t.arguments = p.arguments()
	case slices.Contains([]string{tokName, tokString, tokInteger, tokFloat, "[", "{"}, c.kind) && !c.is("else") && !c.is("or") && !c.is("and"):
		if c.is("is") {
			p.fail("tests cannot be chained with is")
		}
		t.pos = []expr{p.postfix(p.primary(false))}
	}
	if negated {
		return &notExpr{t}
	}
	return t
}
