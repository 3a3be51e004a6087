package spec

import "foretoken/model"

// emitted is what a round adds: the tokens of path and, unless a stop cut it
// off, the one the target chose after them.
type emitted struct {
	path   []int
	tokens []model.Token
}

// hasNext reports whether the last token is the target's own.
func (e emitted) hasNext() bool { return len(e.tokens) > len(e.path) }

// rows are the batch indices of every token before the last emitted one. Batch
// token 0 is what the round began with, node i is batch token i+1: the row of a
// token is the one it was judged by.
func (e emitted) rows() []int {
	rows := []int{0}
	for _, node := range e.path[:len(e.tokens)-1] {
		rows = append(rows, node+1)
	}
	return rows
}
