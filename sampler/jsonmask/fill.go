package jsonmask

import "foretoken/model"

// fill adds what the vocabulary allows after at. Where a string is
// open that takes any text, the tokens that leave it open are known, and those
// that close it are walked from the quote on.
func (g *grammar) fill(m model.Mask, at *config) {
	if g.fillBlank(m, at) {
		return
	}
	free := 0
	for _, t := range at.threads {
		if s, ok := t.term.(*text); ok {
			free = max(free, s.free(t.state))
		}
	}
	if longest := len(g.v.plain); free > 0 {
		if free >= g.v.longest {
			if !at.indifferent() && g.fillAlong(m, at) {
				return
			}
			union(m, g.v.inside)
			if end := g.m.step(at, '"'); !at.indifferent() {
				g.walk(m, at, &g.v.quoted)
			} else if end != nil {
				union(m, g.v.closed)
				g.walk(m, end, &g.v.closing)
			}
			return
		}
		if longest > 0 {
			union(m, g.v.plain[min(free, longest)-1])
		}
	}
	g.walk(m, at, &g.v.all)
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
	return true
}

// walk adds the tokens of t that the machine reads after at.
func (g *grammar) walk(m model.Mask, at *config, t *trie) {
	g.walkNodes(m, at, t, 0, len(t.nodes)-1)
}

// walkNodes is walk from node i, at depth 0, to node end.
func (g *grammar) walkNodes(m model.Mask, at *config, t *trie, i, end int) {
	g.path = append(g.path[:0], at)
	for i < end {
		n := &t.nodes[i]
		to := g.m.step(g.path[n.depth], n.char)
		if to == nil {
			i = int(n.end)
			continue
		}
		g.path = append(g.path[:n.depth+1], to)
		for _, id := range t.tokens[n.first:t.nodes[i+1].first] {
			m.Add(id)
		}
		i++
	}
}
