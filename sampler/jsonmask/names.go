package jsonmask

// Where a string may be one of some texts or any other, as a name may, it differs
// from a string of any text only along those texts: so its mask is the other's but
// for the few tokens that begin like one of them and close the string.

// beside returns the tokens at such a state, nil where at is none.
func (g *grammar) beside(at *config) *tokens {
	along, ok := g.along(at)
	if !ok {
		return nil
	}
	astray := g.astray(at, along)
	if astray == nil {
		return nil
	}
	found := &tokens{base: g.tokens(astray)}
	g.list = g.list[:0]
	t := &g.v.quoted
	for i := int32(0); int(i) < len(t.nodes)-1; i = t.nodes[i].end {
		n := &t.nodes[i]
		if along.has(n.char) {
			found.less = append(found.less, t.tokens[n.first:t.nodes[n.end].first])
			g.walkNodes(at, t, int(i), int(n.end))
		}
	}
	found.more = append(found.more, g.list...)
	return found
}

// along returns the bytes that, read at a state, may lead to another end than in a
// string of any text, and false where the state is no string that may be any text.
func (g *grammar) along(at *config) (set byteSet, ok bool) {
	for _, t := range at.threads {
		switch term := t.term.(type) {
		case *literals:
			set.union(term.bytes(t.state))
		case *text:
			s := term.states[t.state]
			if s.phase != content || len(term.patterns) > 0 || term.high >= 0 || s.n < term.low {
				return set, false
			}
			if ok = true; s.name < 0 {
				continue
			}
			set.union(term.not.bytes(s.name))
			if term.not.nodes[s.name].end {
				set.add('"')
			}
			if g.v.spells || term.not.escaped(s.name) {
				set.add('\\')
			}
		default:
			return set, false
		}
	}
	return set, ok
}

// escaped reports whether some text goes on with what a short escape can spell.
func (l *literals) escaped(s int32) bool {
	for _, b := range []byte("\"\\/\b\f\n\r\t") {
		if l.nodes[s].after.has(b) {
			return true
		}
	}
	return false
}

// astray is the state once the text is none of those that at knows of: within a
// string of any text.
func (g *grammar) astray(at *config, along byteSet) *config {
	for b := byte('a'); b <= 'z'; b++ {
		if along.has(b) {
			continue
		}
		if to := g.m.step(at, b); to != nil && to.free {
			return to
		}
	}
	return nil
}
