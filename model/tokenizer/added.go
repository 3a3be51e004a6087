package tokenizer

import (
	"unicode"
	"unicode/utf8"

	"foretoken/model"
)

// An addedToken is a string that is cut out of the text before anything else looks
// at it.
type addedToken struct {
	ID         model.Token `json:"id"`
	Content    string      `json:"content"`
	SingleWord bool        `json:"single_word"` // only between characters of no word
	LStrip     bool        `json:"lstrip"`      // takes the white space before it
	RStrip     bool        `json:"rstrip"`      // takes the white space after it
	Normalized bool        `json:"normalized"`  // is matched in normalised text
	Special    bool        `json:"special"`     // a control token
}

// addedTokens finds them, leftmost first and the longest of those: a trie of bytes.
type addedTokens struct {
	byText map[string]model.Token
	tokens []addedToken
	nodes  []trieNode
	first  [256]bool // bytes that begin a token
}

type trieNode struct {
	next  map[byte]int32
	token int32 // index in tokens plus 1; 0 is none
}

func newAddedTokens() *addedTokens {
	return &addedTokens{byText: map[string]model.Token{}, nodes: make([]trieNode, 1)}
}

// add makes t match where pattern stands: its content, normalised perhaps.
func (a *addedTokens) add(t addedToken, pattern string) {
	if pattern == "" {
		return
	}
	at := int32(0)
	a.first[pattern[0]] = true
	for i := range len(pattern) {
		n := &a.nodes[at]
		if n.next == nil {
			n.next = map[byte]int32{}
		}
		to, ok := n.next[pattern[i]]
		if !ok {
			to = int32(len(a.nodes))
			n.next[pattern[i]] = to
			a.nodes = append(a.nodes, trieNode{})
		}
		at = to
	}
	a.tokens = append(a.tokens, t)
	a.nodes[at].token = int32(len(a.tokens))
	a.byText[t.Content] = t.ID
}

// longest returns the longest token that s begins with, and its length.
func (a *addedTokens) longest(s string) (*addedToken, int) {
	var found *addedToken
	length, at := 0, int32(0)
	for i := range len(s) {
		to, ok := a.nodes[at].next[s[i]]
		if !ok {
			break
		}
		at = to
		if k := a.nodes[at].token; k > 0 {
			found, length = &a.tokens[k-1], i+1
		}
	}
	return found, length
}

// split calls emit with the parts of s in order: text with id None, or a token.
// Control tokens are text unless special is set. No part is empty.
func (a *addedTokens) split(s string, special bool, emit func(part string, at int, id model.Token)) {
	done := 0
	for i := 0; i < len(s); {
		if !a.first[s[i]] {
			i++
			continue
		}
		t, n := a.longest(s[i:])
		if t == nil {
			i++
			continue
		}
		from, to := i, i+n
		i = to
		if t.Special && !special || t.SingleWord && !alone(s[:from], s[to:]) {
			continue
		}
		if t.LStrip {
			from -= spacesAtEnd(s[:from])
		}
		if t.RStrip {
			to += spacesAtStart(s[to:])
		}
		if from = max(from, done); from > done {
			emit(s[done:from], done, None)
		}
		emit(s[from:max(from, to)], from, t.ID)
		done = max(done, to)
	}
	if done < len(s) {
		emit(s[done:], done, None)
	}
}

// alone reports whether what lies between before and after touches no word.
func alone(before, after string) bool {
	l, _ := utf8.DecodeLastRuneInString(before)
	r, _ := utf8.DecodeRuneInString(after)
	return !(before != "" && isWord(l)) && !(after != "" && isWord(r))
}

// isWord is \w of Unicode Technical Standard 18, annex C.
func isWord(r rune) bool {
	return letterClass.has(r) || markClass.has(r) || digitClass.has(r) || r == 0x200C || r == 0x200D ||
		unicode.In(r, unicode.Nl, unicode.Pc, unicode.Other_Alphabetic)
}

func spacesAtEnd(s string) int {
	n := len(s)
	for n > 0 {
		r, w := utf8.DecodeLastRuneInString(s[:n])
		if !unicode.IsSpace(r) {
			break
		}
		n -= w
	}
	return len(s) - n
}

func spacesAtStart(s string) int {
	for i, r := range s {
		if !unicode.IsSpace(r) {
			return i
		}
	}
	return len(s)
}
