package spec

import (
	"foretoken/draft"
	"foretoken/model"
)

// taken is what a round adds to the text: the tokens of path and, unless the text ended
// before, the one that the target chose after them.
type taken struct {
	path   []int
	tokens []model.Token
}

// take adds a verdict's tokens to the text, up to the first that ends it or fills the
// budget. next is nil where the target chose none.
func (g *Generation) take(p draft.Proposal, path []int, next *model.Token) taken {
	var t taken
	add := func(x model.Token) (goOn bool) {
		t.tokens, g.tokens = append(t.tokens, x), append(g.tokens, x)
		return !g.text.add(x)
	}
	goOn := true
	for i, node := range path {
		if goOn = add(p.Tokens[node]); !goOn {
			path = path[:i+1]
			break
		}
	}
	if t.path = path; goOn && next != nil {
		add(*next)
	}
	if g.emitted() >= g.limit {
		g.text.end(g.full)
	}
	return t
}

// hasNext reports whether the last token is the target's own.
func (t taken) hasNext() bool { return len(t.tokens) > len(t.path) }

// rows are the batch indices that the tokens were judged by, which are those of every
// token before the last one. Batch token 0 is what the round began with, node i is batch
// token i+1.
func (t taken) rows() []int {
	if len(t.tokens) == 0 {
		return nil
	}
	rows := []int{0}
	for _, node := range t.path[:len(t.tokens)-1] {
		rows = append(rows, node+1)
	}
	return rows
}

// last is the node of the last draft taken, -1 the root.
func (t taken) last() int {
	if len(t.path) == 0 {
		return -1
	}
	return t.path[len(t.path)-1]
}
