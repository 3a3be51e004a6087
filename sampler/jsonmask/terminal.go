package jsonmask

import "strings"

// literals is a set of texts as a trie.
type literals struct {
	texts []string
	nodes []literalNode
}

// A literalNode is one text begun. Node 0, which nothing leads to, ends a list.
type literalNode struct {
	char           byte
	end            bool
	child, sibling int32
	after          byteSet // what may follow
}

func newLiterals(texts ...string) *literals {
	room := 1
	for _, text := range texts {
		room += len(text)
	}
	l := &literals{texts: texts, nodes: make([]literalNode, 1, room)}
	for _, text := range texts {
		at := int32(0)
		for i := range len(text) {
			to, ok := l.next(at, text[i])
			if !ok {
				to = int32(len(l.nodes))
				l.nodes = append(l.nodes, literalNode{char: text[i], sibling: l.nodes[at].child})
				l.nodes[at].child = to
				l.nodes[at].after.add(text[i])
			}
			at = to
		}
		l.nodes[at].end = true
	}
	return l
}

func (l *literals) next(s int32, b byte) (int32, bool) {
	for to := l.nodes[s].child; to != 0; to = l.nodes[to].sibling {
		if l.nodes[to].char == b {
			return to, true
		}
	}
	return 0, false
}

func (l *literals) end(s int32) (may, more bool) { return l.nodes[s].end, l.nodes[s].child != 0 }

func (l *literals) bytes(s int32) byteSet { return l.nodes[s].after }

// space is a run of white space; the state is its length.
type space struct{ most int32 }

func (x *space) next(s int32, b byte) (int32, bool) {
	return s + 1, s < x.most && strings.IndexByte(white, b) >= 0
}

func (x *space) end(s int32) (may, more bool) { return true, s < x.most }

var (
	spaceBytes  = setOf(white)
	numberBytes = setOf("0123456789+-.eE")
)

func (x *space) bytes(s int32) byteSet {
	if s == x.most {
		return byteSet{}
	}
	return spaceBytes
}

// number is the grammar of numbers, or with whole set of integers, which may
// read 1.0 too.
type number struct {
	whole bool
	bare  bool // 1.0 is no integer, as in draft-04
}

const (
	numStart = iota
	numMinus
	numZero
	numDigits
	numPoint
	numFraction
	numE
	numSign
	numExponent
)

func (x *number) next(s int32, b byte) (int32, bool) {
	digit := b >= '0' && b <= '9'
	switch s {
	case numStart, numMinus:
		switch {
		case b == '-' && s == numStart:
			return numMinus, true
		case b == '0':
			return numZero, true
		case digit:
			return numDigits, true
		}
	case numZero, numDigits:
		switch {
		case digit && s == numDigits:
			return numDigits, true
		case b == '.' && !x.bare:
			return numPoint, true
		case b|' ' == 'e' && !x.whole:
			return numE, true
		}
	case numPoint, numFraction:
		switch {
		case x.whole:
			return numFraction, b == '0' && s == numPoint
		case digit:
			return numFraction, true
		case b|' ' == 'e' && s == numFraction:
			return numE, true
		}
	case numE, numSign, numExponent:
		switch {
		case digit:
			return numExponent, true
		case (b == '+' || b == '-') && s == numE:
			return numSign, true
		}
	}
	return 0, false
}

func (x *number) end(s int32) (may, more bool) {
	switch s {
	case numZero, numDigits, numExponent:
		return true, true
	case numFraction:
		return true, !x.whole
	}
	return false, true
}

func (*number) bytes(int32) byteSet { return numberBytes }
