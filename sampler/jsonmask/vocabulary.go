package jsonmask

import (
	"bytes"
	"slices"
	"unicode/utf8"

	"foretoken/model"
)

// A Vocabulary is what engines know of a tokenizer: the bytes of its tokens as
// tries. It is made once per tokenizer and is safe for concurrent use.
type Vocabulary struct {
	tokens [][]byte
	eos    []model.Token
	all    trie

	inside  model.Mask // tokens that a string of any text takes and stays open
	closed  model.Mask // tokens that close it and end there
	open    model.Mask // both of these
	closing trie       // tokens that close it and go on, by what follows the quote
	quoted  trie       // both of these, whole
	longest int        // bytes of the longest token
	blank   *blanks
	spells  bool // a token spells a character as \u and closes the string
	// plain[n] are the tokens of 1 to n+1 code points that a string takes as
	// they are: well-formed, with no quote, backslash or control character.
	plain []model.Mask
}

// NewVocabulary returns the vocabulary in which token t reads tokens[t]. What is
// special, or padding, reads as nothing and is never allowed inside a text; eos
// are the ids that may follow a complete one.
func NewVocabulary(tokens [][]byte, eos []model.Token) *Vocabulary {
	v := &Vocabulary{tokens: tokens, eos: slices.Clone(eos)}
	var ids, closing, quoted []model.Token
	for t, text := range tokens {
		if len(text) == 0 || slices.Contains(eos, model.Token(t)) {
			continue
		}
		ids = append(ids, model.Token(t))
	}
	v.inside, v.closed = model.NewMask(len(tokens)), model.NewMask(len(tokens))
	rests := make([][]byte, len(tokens)) // what follows the quote that closes
	opened := newMachine(&value{scalars: []terminal{openText{newText(0, -1, nil, nil)}}}, &space{MaxBlanks})
	within := opened.step(opened.start, '"')
	byText(tokens, ids)
	for _, t := range ids {
		v.longest = max(v.longest, len(tokens[t]))
		if n := plainLen(tokens[t]); n > 0 {
			v.addPlain(t, n)
		}
		switch rest, ok := opened.leave(within, tokens[t]); {
		case !ok: // no string reads it
		case rest == nil:
			v.inside.Add(t)
		case len(rest) == 0:
			v.closed.Add(t)
		default:
			rests[t] = rest
			closing = append(closing, t)
		}
	}
	for _, t := range ids {
		if v.closed.Has(t) || rests[t] != nil {
			quoted = append(quoted, t)
			v.spells = v.spells || bytes.Contains(tokens[t], []byte(`\u`))
		}
	}
	v.open = slices.Clone(v.inside)
	union(v.open, v.closed)
	byText(rests, closing)
	v.blank = newBlanks(tokens, ids)
	for i := 1; i < len(v.plain); i++ {
		union(v.plain[i], v.plain[i-1])
	}
	v.all, v.quoted, v.closing = newTrie(tokens, ids), newTrie(tokens, quoted), newTrie(rests, closing)
	return v
}

func byText(texts [][]byte, ids []model.Token) {
	slices.SortFunc(ids, func(a, b model.Token) int { return bytes.Compare(texts[a], texts[b]) })
}

func (v *Vocabulary) addPlain(t model.Token, n int) {
	for len(v.plain) < n {
		v.plain = append(v.plain, model.NewMask(len(v.tokens)))
	}
	v.plain[n-1].Add(t)
}

// plainLen returns the number of code points of text, 0 where it is not plain.
func plainLen(text []byte) int {
	for _, c := range text {
		if c < ' ' || c == '"' || c == '\\' {
			return 0
		}
	}
	if !utf8.Valid(text) {
		return 0
	}
	return utf8.RuneCount(text)
}

func union(dst, src model.Mask) {
	for i, w := range src[:min(len(src), len(dst))] {
		dst[i] |= w
	}
}

// A trie is tokens in lexical order as a preorder of nodes.
type trie struct {
	nodes  []trieNode
	tokens []model.Token // of the nodes, one after the other
}

type trieNode struct {
	end   int32 // the first node past this one's descendants
	first int32 // trie.tokens from here to the next node's first end at this node
	depth uint16
	char  byte
}

// newTrie returns the trie of ids, which are in the order of their text.
func newTrie(tokens [][]byte, ids []model.Token) trie {
	var (
		t    trie
		open []int32 // nodes on the path to the last token
		last []byte
	)
	closeTo := func(depth int) {
		for ; len(open) > depth; open = open[:len(open)-1] {
			t.nodes[open[len(open)-1]].end = int32(len(t.nodes))
		}
	}
	for i, id := range ids {
		text := tokens[id]
		common := 0
		for common < len(text) && common < len(last) && text[common] == last[common] {
			common++
		}
		closeTo(common)
		for d := common; d < len(text); d++ {
			open = append(open, int32(len(t.nodes)))
			t.nodes = append(t.nodes, trieNode{first: int32(i), depth: uint16(d), char: text[d]})
		}
		t.tokens, last = append(t.tokens, id), text
	}
	closeTo(0)
	t.nodes = append(t.nodes, trieNode{first: int32(len(ids))})
	return t
}

// leave returns what of text follows the quote at which the string at c ends, nil
// where it does not end, and false where the string does not read text.
func (m *machine) leave(c *config, text []byte) (rest []byte, ok bool) {
	for i, b := range text {
		next := m.step(c, b)
		if next == nil {
			return text[i+1:], b == '"'
		}
		c = next
	}
	return nil, true
}

// openText is a string that does not end.
type openText struct{ *text }

func (t openText) end(int32) (may, more bool) { return false, true }

func (t openText) next(s int32, b byte) (int32, bool) {
	to, ok := t.text.next(s, b)
	return to, ok && t.states[to].phase != closed
}
