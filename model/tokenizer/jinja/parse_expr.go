package jinja

import "slices"

func (p *parser) expression() expr { return p.condition(true) }

// condition reads "a if b else c" where cond, and what binds closer.
func (p *parser) condition(cond bool) expr {
	defer p.deeper()()
	e := p.or()
	for cond && p.skipWord("if") {
		test := p.or()
		var no expr
		if p.skipWord("else") {
			no = p.condition(true)
		}
		e = &condExpr{test, e, no}
	}
	return e
}

func (p *parser) or() expr {
	e := p.and()
	for p.skipWord("or") {
		e = &logic{false, e, p.and()}
	}
	return e
}

func (p *parser) and() expr {
	e := p.not()
	for p.skipWord("and") {
		e = &logic{true, e, p.not()}
	}
	return e
}

func (p *parser) not() expr {
	if !p.skipWord("not") {
		return p.compare()
	}
	defer p.deeper()()
	return &notExpr{p.not()}
}

var comparisons = []string{"==", "!=", "<", "<=", ">", ">="}

func (p *parser) compare() expr {
	c := &compare{left: p.sum()}
	for {
		op := p.cur().kind
		switch {
		case slices.Contains(comparisons, op):
			p.next()
		case p.skipWord("in"):
			op = "in"
		case p.cur().is("not") && p.look().is("in"):
			p.next()
			p.next()
			op = "not in"
		case c.ops == nil:
			return c.left
		default:
			return c
		}
		c.ops, c.right = append(c.ops, op), append(c.right, p.sum())
	}
}

// chain reads operands of the next level with operators of one level between them.
func (p *parser) chain(next func() expr, ops ...string) expr {
	e := next()
	for slices.Contains(ops, p.cur().kind) {
		op := p.next().kind
		e = &binary{op, e, next()}
	}
	return e
}

func (p *parser) sum() expr     { return p.chain(p.concat, "+", "-") }
func (p *parser) product() expr { return p.chain(p.power, "*", "/", "//", "%") }

// power binds to the left, other than Python's.
func (p *parser) power() expr { return p.chain(func() expr { return p.unary(true) }, "**") }

func (p *parser) concat() expr {
	parts := []expr{p.product()}
	for p.skip("~") {
		parts = append(parts, p.product())
	}
	if len(parts) == 1 {
		return parts[0]
	}
	return &concat{parts}
}

func (p *parser) unary(filters bool) expr {
	var e expr
	if sign := p.cur().kind; sign == "-" || sign == "+" {
		defer p.deeper()()
		p.next()
		e = &signExpr{sign == "-", p.unary(false)}
	} else {
		e = p.primary(false)
	}
	if e = p.postfix(e); filters {
		e = p.filterExpr(e)
	}
	return e
}

func (p *parser) primary(namespace bool) expr {
	switch t := p.cur(); t.kind {
	case tokName:
		p.next()
		if v, ok := constants[t.text]; ok {
			return &constant{v}
		}
		n := &name{id: t.text}
		if namespace && p.skip(".") {
			return &nsRef{n, p.expect(tokName).text}
		}
		return n
	case tokString:
		var s string
		for p.cur().kind == tokString {
			s += p.next().text
		}
		return &constant{s}
	case tokInteger, tokFloat:
		return &constant{p.next().num}
	case "(":
		p.next()
		e := p.tuple(tupleRules{cond: true, brackets: true})
		p.expect(")")
		return e
	case "[":
		return p.list()
	case "{":
		return p.dict()
	}
	p.fail("unexpected %s", p.cur())
	return nil
}

// tupleRules say of what a tuple without brackets of its own may be.
type tupleRules struct {
	simple    bool // names and literals only
	namespace bool // with simple: also attributes of namespaces
	cond      bool // conditional expressions
	brackets  bool // brackets stand around it, so it may be empty
}

func (p *parser) tuple(rules tupleRules) expr {
	var items []expr
	single := true
	for {
		if items != nil {
			p.expect(",")
		}
		if k := p.cur().kind; k == tokVariableEnd || k == tokBlockEnd || k == ")" {
			break
		}
		if rules.simple {
			items = append(items, p.primary(rules.namespace))
		} else {
			items = append(items, p.condition(rules.cond))
		}
		if p.cur().kind != "," {
			break
		}
		single = false
	}
	switch {
	case single && items != nil:
		return items[0]
	case single && !rules.brackets:
		p.fail("got %s, want an expression", p.cur())
	}
	return &tupleExpr{items}
}
