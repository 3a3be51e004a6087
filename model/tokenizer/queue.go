package tokenizer

import "foretoken/model"

// A symbol is a part of a word that is being merged, in a doubly linked list.
type symbol struct {
	id         model.Token
	prev, next int32
	gone       bool // merged into the one before it
}

// A candidate is a merge that may be made at a symbol with the one after it.
type candidate struct {
	rank int32
	at   int32
	id   model.Token // what it makes
}

func (c candidate) before(d candidate) bool {
	return c.rank < d.rank || c.rank == d.rank && c.at < d.at
}

// A queue is a binary heap. container/heap would box every candidate.
type queue []candidate

func (q *queue) push(c candidate) {
	*q = append(*q, c)
	h := *q
	i := len(h) - 1
	for i > 0 {
		up := (i - 1) / 2
		if !c.before(h[up]) {
			break
		}
		h[i], i = h[up], up
	}
	h[i] = c
}

func (q *queue) pop() candidate {
	h := *q
	top, last := h[0], h[len(h)-1]
	h = h[:len(h)-1]
	*q = h
	if len(h) == 0 {
		return top
	}
	i := 0
	for {
		down := 2*i + 1
		if down >= len(h) {
			break
		}
		if down+1 < len(h) && h[down+1].before(h[down]) {
			down++
		}
		if !h[down].before(last) {
			break
		}
		h[i], i = h[down], down
	}
	h[i] = last
	return top
}
