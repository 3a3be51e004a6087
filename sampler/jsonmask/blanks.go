package jsonmask

import (
	"bytes"

	"foretoken/model"
)

// White space may stand wherever punctuation does, and a vocabulary has thousands of
// tokens that begin with some. How long a run is makes no difference to what follows
// it, so a token is what follows its own.

// blanks are the tokens that begin with white space.
type blanks struct {
	only   [MaxBlanks]model.Mask // nothing else, of up to n+1 characters
	before trie                  // up to shortRun of it and something else, by that
	far    trie                  // more of it and something else, whole
}

// shortRun is the white space that tokens begin with, but for few.
const shortRun = 4

const white = " \n\t\r"

func newBlanks(tokens [][]byte, ids []model.Token) *blanks {
	b := &blanks{}
	for i := range b.only {
		b.only[i] = model.NewMask(len(tokens))
	}
	rests := make([][]byte, len(tokens))
	var before, far []model.Token
	for _, t := range ids {
		rest := bytes.TrimLeft(tokens[t], white)
		n := len(tokens[t]) - len(rest)
		switch {
		case n == 0:
		case len(rest) == 0 && n <= MaxBlanks:
			b.only[n-1].Add(t)
		case len(rest) == 0:
		case n <= shortRun:
			rests[t] = rest
			before = append(before, t)
		default:
			far = append(far, t)
		}
	}
	for i := 1; i < MaxBlanks; i++ {
		union(b.only[i], b.only[i-1])
	}
	byText(rests, before)
	b.before, b.far = newTrie(rests, before), newTrie(tokens, far)
	return b
}

// blank returns the tokens where white space may stand and nothing that takes it
// otherwise, nil where at is no such state.
func (g *grammar) blank(at *config) *tokens {
	room := 0
	for _, t := range at.threads {
		if run, ok := t.term.(*space); ok {
			left := int(run.most - t.state)
			if left < shortRun {
				return nil
			}
			room = max(room, left)
			continue
		}
		other := t.term.bytes(t.state)
		for i := range other {
			if other[i]&spaceBytes[i] != 0 {
				return nil
			}
		}
	}
	if room == 0 {
		return nil
	}
	b := g.v.blank
	g.walk(g.m.step(at, ' '), &b.before)
	g.walk(at, &b.far)
	all := &g.v.all
	for i := int32(0); int(i) < len(all.nodes)-1; i = all.nodes[i].end {
		if c := all.nodes[i].char; !spaceBytes.has(c) && !at.dead.has(c) {
			g.walkNodes(at, all, int(i), int(all.nodes[i].end))
		}
	}
	return g.gathered(b.only[room-1])
}
