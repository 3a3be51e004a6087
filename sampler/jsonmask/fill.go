package jsonmask

// find returns what the vocabulary allows after at. Where a string is
// open that takes any text, the tokens that leave it open are known, and those
// that close it are walked from the quote on.
func (g *grammar) find(at *config) *tokens {
	g.list = g.list[:0]
	if found := g.blank(at); found != nil {
		return found
	}
	free := 0
	for _, t := range at.threads {
		if s, ok := t.term.(*text); ok {
			free = max(free, s.free(t.state))
		}
	}
	if free >= g.v.longest && free > 0 {
		if at.free {
			end := g.m.step(at, '"')
			if end == nil {
				return g.gathered(g.v.inside)
			}
			g.walk(end, &g.v.closing)
			return g.gathered(g.v.open)
		}
		if found := g.beside(at); found != nil {
			return found
		}
		g.walk(at, &g.v.quoted)
		return g.gathered(g.v.inside)
	}
	g.walk(at, &g.v.all)
	if longest := len(g.v.plain); free > 0 && longest > 0 {
		return g.gathered(g.v.plain[min(free, longest)-1])
	}
	return g.gathered()
}

// indifferent reports whether at is within strings only, which what they hold
// makes no difference to: at their quote the machine is where it would be now.
func (c *config) indifferent() bool {
	for _, t := range c.threads {
		s, ok := t.term.(*text)
		if !ok || !s.indifferent(t.state) {
			return false
		}
	}
	return len(c.threads) > 0
}

// walk adds to g.list the tokens of t that the machine reads after at.
func (g *grammar) walk(at *config, t *trie) {
	g.walkNodes(at, t, 0, len(t.nodes)-1)
}

// walkNodes is walk from node i, at depth 0, to node end.
func (g *grammar) walkNodes(at *config, t *trie, i, end int) {
	g.path = append(g.path[:0], at)
	for ; i < end; g.walked++ {
		n := &t.nodes[i]
		to := g.m.step(g.path[n.depth], n.char)
		if to == nil {
			i = int(n.end)
			continue
		}
		g.path = append(g.path[:n.depth+1], to)
		if next := t.nodes[i+1].first; n.first < next {
			g.list = append(g.list, t.tokens[n.first:next]...)
		}
		i++
	}
}
