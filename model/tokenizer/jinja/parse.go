package jinja

import "slices"

// A parser reads tokens by Jinja2's grammar.
type parser struct {
	tokens []token
	at     int
	depth  int
}

func (p *parser) cur() token  { return p.tokens[p.at] }
func (p *parser) look() token { return p.tokens[min(p.at+1, len(p.tokens)-1)] }

func (p *parser) next() token {
	t := p.cur()
	p.at = min(p.at+1, len(p.tokens)-1)
	return t
}

func (p *parser) fail(format string, args ...any) {
	fail("line %d: "+format, append([]any{p.cur().line}, args...)...)
}

func (p *parser) expect(kind string) token {
	if p.cur().kind != kind {
		p.fail("got %s, want %s", p.cur(), kind)
	}
	return p.next()
}

func (p *parser) expectWord(word string) {
	if !p.skipWord(word) {
		p.fail("got %s, want %s", p.cur(), word)
	}
}

func (p *parser) skip(kind string) bool {
	if p.cur().kind != kind {
		return false
	}
	p.next()
	return true
}

func (p *parser) skipWord(word string) bool {
	if !p.cur().is(word) {
		return false
	}
	p.next()
	return true
}

// deeper counts what stands within each other; the caller defers what it returns.
func (p *parser) deeper() func() {
	if p.depth++; p.depth > mostNesting {
		p.fail("more than %d brackets, signs and statements within each other", mostNesting)
	}
	return func() { p.depth-- }
}

// statements reads to one of the end words, which stays current; without end words,
// to the end of the template.
func (p *parser) statements(ends ...string) []statement {
	var body []statement
	for {
		switch t := p.cur(); t.kind {
		case tokData:
			body = append(body, &dataStmt{t.text})
			p.next()
		case tokVariableBegin:
			p.next()
			body = append(body, &outputStmt{p.tuple(tupleRules{cond: true})})
			p.expect(tokVariableEnd)
		case tokBlockBegin:
			p.next()
			if p.cur().kind == tokName && slices.Contains(ends, p.cur().text) {
				return body
			}
			body = append(body, p.statement()...)
			p.expect(tokBlockEnd)
		default:
			if len(ends) > 0 {
				p.fail("the template ends before %s", ends[0])
			}
			return body
		}
	}
}

// block reads the rest of a tag and what follows it to one of the end words.
func (p *parser) block(ends ...string) []statement {
	p.skip(":")
	p.expect(tokBlockEnd)
	return p.statements(ends...)
}

// wholeBlock also goes over the end word.
func (p *parser) wholeBlock(end string) []statement {
	body := p.block(end)
	p.next()
	return body
}

// target reads what can be set.
func (p *parser) target(rules tupleRules) expr {
	rules.simple = true
	e := p.tuple(rules)
	p.settable(e)
	return e
}

func (p *parser) settable(e expr) {
	switch e := e.(type) {
	case *name, *nsRef:
	case *tupleExpr:
		for _, item := range e.items {
			p.settable(item)
		}
	default:
		p.fail("this cannot be assigned to")
	}
}

// nameTarget reads a name that can be set.
func (p *parser) nameTarget() *name {
	n := &name{id: p.expect(tokName).text}
	if _, ok := constants[n.id]; ok {
		p.fail("%s cannot be assigned to", n.id)
	}
	return n
}

var constants = map[string]Value{"true": true, "True": true, "false": false, "False": false, "none": nil, "None": nil}
